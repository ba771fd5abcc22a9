// What a deployment needs per session: CPU and memory of the api and the gateway as separate
// processes, and what Redis and PostgreSQL store. Every session talks all the time in both
// directions, which no real conversation does: real ones need less.
//
// Writes its table into deploy/README.md.
//
//   npm run bench:sizing               SESSIONS, SECONDS and REQUESTS change the load
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { connectRedis } from '@parley/session-store';
import { teardown } from '@parley/testkit';
import { WebSocket } from 'ws';
import { Cluster } from '../../deploy/dist-test/support/cluster.js';
import { inParallel } from '../../deploy/dist-test/support/proof-scale.js';
import { table } from './figures.mjs';

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
for (const socket of await openSessions(100)) socket.close();
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

const opened = rows['a session created and opened'];
const talks = rows['a second of a session that talks both ways'];
const report = `${sessions} sessions on one gateway, each continuously sending and receiving ${1000 / paceMs} frames of
${paceMs} ms of speech per second (${cpus().length} cores, ${process.arch}, Node ${process.version}):

${table(
  ['', 'CPU', 'memory and storage'],
  [
    [
      'a session that continuously talks both ways',
      `${shown(talks['gateway CPU ms'])} ms of the gateway per second`,
      `${shown(talks['gateway KiB'])} KiB of the gateway`,
    ],
    [
      'a session that is open and silent',
      `${shown(rows['a second of a session that is silent']['gateway CPU ms'])} ms of the gateway per second`,
      `${shown(opened['gateway KiB'])} KiB of the gateway, ${shown(opened['Redis KiB'])} KiB of Redis`,
    ],
    [
      'creating and opening a session',
      `${shown(opened['api CPU ms'])} ms of the api, ${shown(opened['gateway CPU ms'])} ms of the gateway`,
      '',
    ],
    [
      'a message in the record',
      'included above',
      `${shown(rows['a message recorded']['PostgreSQL bytes'])} bytes of PostgreSQL, including indexes`,
    ],
    ['a `GET` of an agent', `${shown(rows['a GET of an agent']['api CPU ms'])} ms of the api`, ''],
    [
      'a process before its first session',
      '',
      `api ${mebibytes(idle.apiBytes)} MiB, gateway ${mebibytes(idle.gatewayBytes)} MiB, worker ${mebibytes(idle.workerBytes)} MiB`,
    ],
  ],
)}`;
const readme = join(import.meta.dirname, '../../deploy/README.md');
const marked = /(<!-- sizing: .*-->\n)[^]*(<!-- end of sizing -->)/;
writeFileSync(
  readme,
  readFileSync(readme, 'utf8').replace(
    marked,
    (_all, begin, end) => `${begin}\n${report}\n\n${end}`,
  ),
);
console.log(report);
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

function shown(value) {
  return String(Number(value.toPrecision(2)));
}

function mebibytes(bytes) {
  return Math.round(bytes / 1024 / 1024);
}

function setting(name, fallback) {
  return Number(process.env[name] ?? fallback);
}
