// What the gateway costs per frame: CPU time of its process for one frame in each direction,
// compared with a pipe of two WebSockets that does nothing else, under the same paced load in the
// same run. Ratios are comparable between machines, times are not. The third relay is the gateway
// with the record on a real PostgreSQL: every 50th frame of a session ends an answer, which is
// stored and announced.
//
//   npm run bench                      SESSIONS, FPS, SECONDS, BYTES and ROUNDS change the load
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startPostgresServer } from '@parley/testkit';

const load = {
  sessions: setting('SESSIONS', 50),
  framesPerSecond: setting('FPS', 50),
  seconds: setting('SECONDS', 8),
  audioBytes: setting('BYTES', 960),
};
const rounds = setting('ROUNDS', 3);
const relays = ['pipe', 'gateway', 'recording'];

const postgres = await startPostgresServer();
const provider = start('provider');
const { port: providerPort } = await next(provider, 'port');
const results = Object.fromEntries(relays.map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1)
  for (const name of relays) results[name].push(await measure(name));
provider.kill();
await postgres.stop();
print();

async function measure(name) {
  const script = name === 'recording' ? 'gateway' : name;
  const database = name === 'recording' ? [postgres.url] : [];
  const relay = start(script, [`http://127.0.0.1:${providerPort}/v1`, ...database]);
  const { port } = await next(relay, 'port');
  const client = start('load', [JSON.stringify({ ...load, url: `ws://127.0.0.1:${port}` })]);
  await next(client, 'started');
  const before = await cpuOf(relay);
  const { frames, lost, announced, p50, p99 } = await next(client, 'done');
  const { microseconds, megabytes } = await cpuOf(relay);
  await Promise.all([relay, client].map(end));
  const cpu = (microseconds - before.microseconds) / frames;
  return { cpu, lost, announced, p50, p99, megabytes };
}

function print() {
  const median = (name, field) => {
    const sorted = results[name].map((row) => row[field]).sort((a, b) => a - b);
    return sorted[sorted.length >> 1];
  };
  const bare = median('pipe', 'cpu');
  console.log(
    `${load.sessions} sessions, ${load.framesPerSecond} frames/s each, ${load.audioBytes} bytes of audio per frame, ` +
      `median of ${rounds} rounds of ${load.seconds} s, Node ${process.version}`,
  );
  console.table(
    Object.fromEntries(
      relays.map((name) => [
        name,
        {
          'CPU µs per echoed frame': Number(median(name, 'cpu').toFixed(1)),
          'ratio to the pipe': Number((median(name, 'cpu') / bare).toFixed(2)),
          'p50 ms': median(name, 'p50'),
          'p99 ms': median(name, 'p99'),
          'RSS MB': median(name, 'megabytes'),
          'messages stored': median(name, 'announced'),
          lost: Math.max(...results[name].map((row) => row.lost)),
        },
      ]),
    ),
  );
}

function start(name, args = []) {
  return fork(join(import.meta.dirname, `${name}.mjs`), args);
}

async function end(child) {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

async function next(child, kind) {
  for (;;) {
    const [message] = await Promise.race([once(child, 'message'), died(child)]);
    if (message.kind === kind) return message;
  }
}

async function cpuOf(child) {
  child.send('cpu');
  return next(child, 'cpu');
}

async function died(child) {
  const [code] = await once(child, 'exit');
  throw new Error(`A process of the benchmark ended early, with code ${code}.`);
}

function setting(name, fallback) {
  return Number(process.env[name] ?? fallback);
}
