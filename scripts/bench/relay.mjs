// Compares the cost of Parley's gateway, with all its features enabled, to that of other relays,
// under the same paced load in alternating rounds. Ratios to the bare relay of ws are comparable
// between machines, times are not. The table goes to RESULTS.md.
//
//   npm run bench                      SESSIONS, IDLE, SECONDS and ROUNDS change the load
//   npm run bench -- --profile         leaves CPU profiles of the gateway in scripts/bench/profiles
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { teardown } from '@parley/testkit';
import { direct, startHaproxy, startNginx, startParley, startPipe } from './relays.mjs';

const sessions = setting('SESSIONS', 40);
const idleSessions = setting('IDLE', 2000);
const seconds = setting('SECONDS', 8);
const rounds = setting('ROUNDS', 3);
const warmSeconds = 4;
const settleSeconds = 5;

/** 20 and 100 ms of pcm16 at 24 kHz. */
const frames20 = { framesPerSecond: 50, audioBytes: 960 };
const frames100 = { framesPerSecond: 10, audioBytes: 4800 };
const half = 'latency at half load';
const loads = {
  'CPU at 20 ms': { ...frames20, sessions },
  'CPU at 100 ms': { ...frames100, sessions },
  [half]: { ...frames20, sessions: Math.ceil(sessions / 2) },
};

const here = import.meta.dirname;
const profileFolder = process.argv.includes('--profile') ? join(here, 'profiles') : undefined;
if (profileFolder) mkdirSync(profileFolder, { recursive: true });

progress('starting the relays');
const reports = new WeakMap();
const provider = start('provider');
const { port } = await next(provider, 'port');
const providerUrl = `ws://127.0.0.1:${port}/v1/realtime?model=m`;
const relays = {
  direct: direct(providerUrl),
  'bare ws relay': await startPipe(providerUrl),
  Parley: await startParley(providerUrl, { profileFolder }),
  nginx: await startNginx(providerUrl),
  HAProxy: await startHaproxy(providerUrl),
};
for (const name of Object.keys(relays)) if (!relays[name]) delete relays[name];

const names = Object.keys(relays);
const results = Object.fromEntries(names.map((name) => [name, {}]));
for (const name of names.filter(isRelay)) results[name].memory = [await memory(name)];
for (let round = 1; round <= rounds; round += 1)
  for (const [what, load] of Object.entries(loads))
    for (const name of names.filter((each) => isRelay(each) || what === half)) {
      const row = await measure(name, load);
      (results[name][what] ??= []).push(row);
      progress(`round ${round}/${rounds}, ${what}, ${name}: ${row.cpu.toFixed(1)} µs per frame`);
    }
for (const relay of Object.values(relays)) await relay.stop();
provider.kill();
await teardown();
const table = report();
writeFileSync(join(here, 'RESULTS.md'), table);
console.log(table);

async function measure(name, { sessions: count, ...load }) {
  const relay = relays[name];
  const client = await connect(relay, count, { ...load, warmSeconds, seconds });
  await next(client, 'started');
  const before = await relay.used();
  const { frames } = await next(client, 'measured');
  const after = await relay.used();
  const { lost, p50, p99 } = await next(client, 'done');
  await end(client);
  return { cpu: ((after.seconds - before.seconds) * 1e6) / frames, lost, p50, p99 };
}

/** What a session adds to a relay's memory: while silent, and while it talks now and then. */
async function memory(name) {
  const relay = relays[name];
  await end(await connect(relay, 100, { ...frames20, framesPerSecond: 0 }));
  await delay(settleSeconds * 1000);
  const empty = await relay.used();
  const talking = { ...frames20, framesPerSecond: 1, warmSeconds: settleSeconds, seconds: 10 };
  const client = await connect(relay, idleSessions, talking);
  const idle = await relay.used();
  await next(client, 'measured');
  const talked = await relay.used();
  await end(client);
  await delay(settleSeconds * 1000);
  const per = ({ bytes }) => (bytes - empty.bytes) / idleSessions / 1024;
  const row = { idle: per(idle), talking: per(talked) };
  progress(`memory, ${name}: ${row.idle.toFixed(1)} KiB per idle session`);
  return row;
}

async function connect(relay, count, load) {
  const { greets } = relay;
  const urls = await relay.urls(count);
  const client = start('load');
  client.send({ ...load, greets, urls });
  await next(client, 'opened');
  return client;
}

function report() {
  const median = (name, what, field) => {
    const values = results[name][what].map((row) => row[field]).sort((a, b) => a - b);
    return (values[(values.length - 1) >> 1] + values[values.length >> 1]) / 2;
  };
  const times = (name, what, field) =>
    `${(median(name, what, field) / median('bare ws relay', what, field)).toFixed(2)}x`;
  const added = (name, field) =>
    (median(name, half, field) - median('direct', half, field)).toFixed(2);
  const rows = names
    .filter(isRelay)
    .map((name) => [
      name,
      ...['CPU at 20 ms', 'CPU at 100 ms'].map(
        (what) => `${median(name, what, 'cpu').toFixed(1)} µs, ${times(name, what, 'cpu')}`,
      ),
      ...['p50', 'p99'].map((field) => `${added(name, field)} ms`),
      ...['idle', 'talking'].map(
        (field) =>
          `${median(name, 'memory', field).toFixed(1)} KiB, ${times(name, 'memory', field)}`,
      ),
    ]);
  const lost = Math.max(...names.flatMap((name) => results[name][half].map((row) => row.lost)));
  const head = [
    'relay',
    'CPU per echoed frame of 20 ms',
    'of 100 ms',
    'p50 added at half load',
    'p99 added',
    'memory per idle session',
    'per session that talks',
  ];
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const [{ model }] = cpus();
  return `# What the relay costs

\`npm run bench\` wrote this on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}.

${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}

- CPU: ${sessions} sessions that talk both ways, medians of ${rounds} alternating rounds of ${seconds} s; the ratio is to the bare relay. Half load is half as many sessions; what is added is compared with a connection without a relay.
- Memory: ${idleSessions} sessions, silent and then with a frame a second.
- Parley runs with Redis and PostgreSQL, the record, a tool, metrics, and logs at info: every five seconds of a session end an answer that is stored and announced. Lost frames: ${lost}.
`;
}

async function end(child) {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

/** Starts a process that reports to this one; its messages are kept until they are read. */
function start(name, args = []) {
  const child = fork(join(here, `${name}.mjs`), args);
  const heard = { messages: [], ended: false };
  reports.set(child, heard);
  child.on('message', (message) => {
    heard.messages.push(message);
    child.emit('news');
  });
  child.once('exit', () => {
    heard.ended = true;
    child.emit('news');
  });
  return child;
}

async function next(child, kind) {
  const heard = reports.get(child);
  for (;;) {
    const at = heard.messages.findIndex((message) => message.kind === kind);
    if (at >= 0) return heard.messages.splice(at, 1)[0];
    if (heard.ended) throw new Error('A process of the benchmark ended early.');
    await once(child, 'news');
  }
}

/** Without a relay, only the latency is meaningful. */
function isRelay(name) {
  return name !== 'direct';
}

function progress(text) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

function setting(name, fallback) {
  return Number(process.env[name] ?? fallback);
}
