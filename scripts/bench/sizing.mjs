// What a deployment needs per session: CPU and memory of the api and the gateway as separate
// processes, and what Redis and PostgreSQL store. Every session talks all the time in both
// directions, which no real conversation does: real ones need less.
//
//   npm run bench:sizing               SESSIONS, SECONDS and REQUESTS change the load
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { connectRedis } from '@parley/session-store';
import { teardown } from '@parley/testkit';
import { WebSocket } from 'ws';
import { Cluster } from '../../deploy/dist-test/support/cluster.js';
import { inParallel } from '../../deploy/dist-test/support/proof-scale.js';

const sessions = setting('SESSIONS', 300);
const seconds = setting('SECONDS', 20);
const requests = setting('REQUESTS', 2000);
/** 40 ms of pcm16 at 24 kHz. */
const audio = Buffer.alloc(1920, 7).toString('base64');
const frame = `{"type":"input_audio_buffer.append","audio":"${audio}"}`;
const paceMs = 40;

const provider = fork(join(import.meta.dirname, 'provider.mjs'));
const [{ port }] = await once(provider, 'message');
const env = { PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1` };
const cluster = await Cluster.start({ apis: 1, gateways: 1, workers: 1, env });
const [api] = cluster.apis;
const [gateway] = cluster.gateways;
const [worker] = cluster.workers;
const redis = await connectRedis({ url: cluster.redis.url, name: 'bench' });
const pool = new Pool({ connectionString: cluster.databaseUrl });
const client = cluster.client(api.origin);
const agentId = await client.createAgent();

// Warms up, so that one-time costs are not counted.
for (const socket of await openSessions(20)) socket.close();
await delay(2000);

const rows = {};
const idle = await reading();
const sockets = await openSessions(sessions);
const open = await reading();
rows['a session created and opened'] = {
  'api CPU ms': per(sessions, open.apiCpu - idle.apiCpu) * 1000,
  'gateway CPU ms': per(sessions, open.gatewayCpu - idle.gatewayCpu) * 1000,
  'gateway KiB': per(sessions, open.gatewayBytes - idle.gatewayBytes) / 1024,
  'Redis KiB': per(sessions, open.redisBytes - idle.redisBytes) / 1024,
};

await delay(5000);
const silent = await reading();
await delay(seconds * 1000);
const stillSilent = await reading();
const timers = sockets.map((socket, n) => talk(socket, n));
await delay(5000);
const talking = await reading();
await delay(seconds * 1000);
const talked = await reading();
for (const timer of timers) timer.stop();
const sessionSeconds = sessions * seconds;
rows['a second of a session that is silent'] = {
  'gateway CPU ms': per(sessionSeconds, stillSilent.gatewayCpu - silent.gatewayCpu) * 1000,
};
rows['a second of a session that talks both ways'] = {
  'gateway CPU ms': per(sessionSeconds, talked.gatewayCpu - talking.gatewayCpu) * 1000,
  'gateway KiB': per(sessions, talked.gatewayBytes - idle.gatewayBytes) / 1024,
  'PostgreSQL bytes': per(sessionSeconds, talked.databaseBytes - talking.databaseBytes),
};
const messages = Number(talked.messages - talking.messages);
rows['a message recorded'] = {
  'PostgreSQL bytes': per(messages, talked.databaseBytes - talking.databaseBytes),
};
for (const socket of sockets) socket.close();

const before = await reading();
await inParallel({ count: requests, width: 8 }, () => client.request('GET', `/Agent/${agentId}`));
const after = await reading();
rows['a GET of an agent'] = { 'api CPU ms': per(requests, after.apiCpu - before.apiCpu) * 1000 };

console.log(
  `${sessions} sessions on one gateway, ${1000 / paceMs} frames of ${frame.length} bytes a second each way for ${seconds} s, ` +
    `${messages} answers recorded meanwhile; ${requests} requests; Node ${process.version}, ${process.arch}`,
);
console.table(
  Object.fromEntries(Object.entries(rows).map(([what, row]) => [what, mapValues(row, rounded)])),
);
console.log(
  `Memory before the first session: api ${mebibytes(idle.apiBytes)}, gateway ${mebibytes(idle.gatewayBytes)}, ` +
    `worker ${mebibytes(idle.workerBytes)} MiB`,
);
redis.disconnect();
await pool.end();
await cluster.stop();
await teardown();
provider.kill();

async function reading() {
  const cpu = 'process_cpu_seconds_total';
  const memory = 'process_resident_memory_bytes';
  const [, used] = /^used_memory:(\d+)/m.exec(await redis.info('memory'));
  const { rows: sizes } = await pool.query(
    `select pg_database_size(current_database())::float8 as bytes, (select count(*) from messages) as messages`,
  );
  return {
    apiCpu: await api.metric(cpu),
    apiBytes: await api.metric(memory),
    gatewayCpu: await gateway.metric(cpu),
    gatewayBytes: await gateway.metric(memory),
    workerBytes: await worker.metric(memory),
    redisBytes: Number(used),
    databaseBytes: sizes[0].bytes,
    messages: sizes[0].messages,
  };
}

function openSessions(count) {
  return inParallel({ count, width: 10 }, async () => {
    const path = await client.issue(agentId);
    const url = gateway.origin.replace('http', 'ws') + path;
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (data) => data.includes('session.updated') && resolve());
    });
    return socket;
  });
}

/** Sends audio at the rate of speech, and catches up when a timer fires late. */
function talk(socket, n) {
  const start = performance.now() + (n / sessions) * paceMs;
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent < (performance.now() - start) / paceMs; sent += 1) socket.send(frame);
  }, paceMs);
  return { stop: () => clearInterval(timer) };
}

function per(count, total) {
  return total / count;
}

function rounded(value) {
  return Number(value.toPrecision(2));
}

function mebibytes(bytes) {
  return Math.round(bytes / 1024 / 1024);
}

function mapValues(row, change) {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]));
}

function setting(name, fallback) {
  return Number(process.env[name] ?? fallback);
}
