// What a relay costs: CPU per frame, latency that it adds, memory per session. All relays run
// throughout, and take turns.
import { setTimeout as delay } from 'node:timers/promises';
import { end, next, start } from './child.mjs';
import { middle, progress, ratio, shown, table, times } from './figures.mjs';

/** 20 and 100 ms of pcm16 at 24 kHz. */
export const frames20 = { framesPerSecond: 50, audioBytes: 960 };
export const frames100 = { framesPerSecond: 10, audioBytes: 4800 };
const bare = 'bare ws relay';

export async function measureRelays(relays, scale) {
  const { sessions, rounds } = scale;
  const loads = {
    'CPU at 20 ms': { ...frames20, sessions },
    'CPU at 100 ms': { ...frames100, sessions },
    'half load': { ...frames20, sessions: Math.ceil(sessions / 2) },
  };
  const names = Object.keys(relays);
  const results = Object.fromEntries(names.map((name) => [name, {}]));
  for (let round = 1; round <= rounds; round += 1)
    for (const [what, load] of Object.entries(loads))
      for (const name of names.filter((each) => isRelay(each) || what === 'half load')) {
        const row = await measure(relays[name], load, scale);
        (results[name][what] ??= []).push(row);
        progress(`round ${round}/${rounds}, ${what}, ${name}: ${row.cpu.toFixed(1)} µs per frame`);
      }
  return relayTable(results, scale);
}

async function measure(relay, { sessions: count, ...load }, { seconds, warmSeconds }) {
  const client = await connect(relay, count, { ...load, warmSeconds, seconds });
  await next(client, 'started');
  const before = await relay.used();
  const { frames } = await next(client, 'measured');
  const after = await relay.used();
  const { lost, p50, p99 } = await next(client, 'done');
  await end(client);
  return { cpu: ((after.seconds - before.seconds) * 1e6) / frames, lost, p50, p99 };
}

/** Opens sessions; with a load, they talk. */
export async function connect(relay, count, load) {
  const { greets, headers } = relay;
  const urls = await relay.urls(count);
  const client = start('load');
  client.send({ width: 20, ...load, greets, headers, urls });
  client.opened = await next(client, 'opened');
  return client;
}

function relayTable(results, { sessions, rounds, seconds }) {
  const names = Object.keys(results).filter(isRelay);
  const added = (name, field) =>
    middle(results[name]['half load'], field) - middle(results.direct['half load'], field);
  const rows = names.map((name) => [
    name,
    ...['CPU at 20 ms', 'CPU at 100 ms'].map((what) => {
      const rows = results[name][what];
      return `${shown(middle(rows, 'cpu'))} µs, ${times(ratio(rows, results[bare][what], 'cpu'))}`;
    }),
    ...['p50', 'p99'].map((field) => `${added(name, field).toFixed(2)} ms`),
  ]);
  const lost = Math.max(
    ...Object.values(results).flatMap((one) => one['half load'].map((row) => row.lost)),
  );
  const head = [
    'relay',
    'CPU per echoed frame of 20 ms',
    'of 100 ms',
    'p50 added at half load',
    'p99 added',
  ];
  return `## Relaying

${table(head, rows)}

${sessions} sessions that talk both ways, medians of ${rounds} rounds of ${seconds} s. Half load is half as many sessions; what is added is compared with a connection without a relay. Lost frames: ${lost}.
`;
}

/** What a session adds to a relay's memory: while silent, and while it talks now and then. */
export async function measureMemory(relays, { idle, memoryRounds, settleSeconds }) {
  const names = Object.keys(relays).filter(isRelay);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 1; round <= memoryRounds; round += 1)
    for (const name of names) {
      const row = await memoryOf(relays[name], idle, settleSeconds);
      results[name].push(row);
      progress(
        `round ${round}/${memoryRounds}, memory, ${name}: ${row.idle.toFixed(1)} KiB per idle session`,
      );
    }
  const kib = (name, field) =>
    `${middle(results[name], field).toFixed(1)} KiB, ${times(ratio(results[name], results[bare], field))}`;
  const rows = names.map((name) => [name, kib(name, 'idle'), kib(name, 'talking')]);
  return `## Memory

${table(['relay', 'per idle session', 'per session that talks'], rows)}

${idle} sessions, silent and then with a frame a second: what the process grows by, after a hundred others have come and gone.
`;
}

async function memoryOf(relay, count, settleSeconds) {
  await end(await connect(relay, Math.min(100, count), { ...frames20, framesPerSecond: 0 }));
  await delay(settleSeconds * 1000);
  const empty = await relay.used();
  const talking = {
    ...frames20,
    framesPerSecond: 1,
    warmSeconds: settleSeconds,
    seconds: settleSeconds,
  };
  const client = await connect(relay, count, talking);
  const idle = await relay.used();
  await next(client, 'measured');
  const talked = await relay.used();
  await end(client);
  await delay(settleSeconds * 1000);
  const per = ({ bytes }) => (bytes - empty.bytes) / count / 1024;
  return { idle: per(idle), talking: per(talked) };
}

/** Without a relay, only the latency is meaningful. */
function isRelay(name) {
  return name !== 'direct';
}
