// Many sessions for a long time, with a fault every minute and the long timers shortened, so that
// whatever happens once in ten hours happens in half an hour. Prints what grows: memory,
// event-loop delay, errors, and the objects on the heaps at both ends.
//
//   npm run soak                       30 minutes, 300 sessions
//   npm run soak -- --minutes 5 --sessions 50 --seed SEED
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { teardown } from '@parley/testkit';
import { vitals } from './baseline.mjs';
import { countObjects, growth, takeSnapshot } from './heap.mjs';
import { Population } from './population.mjs';
import { brokenPromises } from './promises.mjs';
import { randomOf } from './random.mjs';
import { scenarios } from './scenarios.mjs';
import { Stage } from './stage.mjs';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    sessions: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const [minutes, sessions, seed] = [Number(flags.minutes), Number(flags.sessions), flags.seed];
const random = randomOf(seed, 'soak');
/** Shorter than the defaults, so that sessions and approvals come and go. */
const timers = {
  REALTIME_MAX_SESSION_SECONDS: '90',
  REALTIME_IDLE_TIMEOUT_SECONDS: '60',
  REALTIME_SESSION_TTL_SECONDS: '10',
  REALTIME_APPROVAL_TIMEOUT_SECONDS: '15',
};
/** Faults that end by themselves within seconds, and need nothing beforehand. */
const faults = Object.entries(scenarios).filter(
  ([name, { prepare, alone, seconds }]) =>
    !prepare && !alone && seconds <= 8 && !/failed over|everything/.test(name),
);

const began = Date.now();
const progress = (text) =>
  console.log(`soak: ${Math.round((Date.now() - began) / 1000)} s: ${text}`);

// Whatever hangs, the run ends.
setTimeout(
  () => {
    console.error('The run did not end in time.');
    process.exit(1);
  },
  (minutes + 15) * 60_000,
).unref();

progress(`seed ${seed}`);
const stage = await Stage.open({ env: { ...timers, ...takeSnapshot.env }, progress });
/** The first of each kind is never killed: its heap is compared. */
const watched = [stage.cluster.apis[0], stage.cluster.gateways[0], stage.cluster.workers[0]];
const breakable = Object.create(stage, {
  kill: { value: (process) => stage.kill(process) },
  cluster: {
    value: Object.create(stage.cluster, {
      apis: { value: stage.cluster.apis.slice(1) },
      gateways: { value: stage.cluster.gateways.slice(1) },
      workers: { value: stage.cluster.workers.slice(1) },
    }),
  },
});

await warmUp();
const before = await objects();
const population = new Population(stage, { seed, name: 'soak' });
await population.arrive(sessions, { pace: 15, renewing: true });
const samples = [];
const from = Date.now();
for (let minute = 1; minute <= minutes; minute += 1) {
  const [name, scenario] = random.pick(faults);
  const fault = await scenario.start({ stage: breakable, population, random });
  await delay(scenario.seconds * 1000);
  await fault?.stop?.();
  await delay(Math.max(0, from + minute * 60_000 - Date.now()));
  samples.push(await sample(minute));
  progress(`${name}; ${describe(samples.at(-1))}`);
}
progress('everybody leaves');
await stage.settled();
await population.rest();
await population.leave();
const scenario = { leavesRows: true };
const broken = await brokenPromises({ stage, scenario, ledger: population.ledger });
const after = await objects();
console.log(report());
await stage.close();
await teardown();
process.exitCode = broken.length > 0 ? 1 : 0;

/** What a process allocates once is no growth. */
async function warmUp() {
  const first = new Population(stage, { seed, name: 'warm-up' });
  await first.arrive(Math.min(sessions, 30));
  await delay(10_000);
  await first.rest();
  await first.leave();
}

async function objects() {
  const counts = new Map();
  for (const process of watched)
    counts.set(process.app, await countObjects(await takeSnapshot(process)));
  return counts;
}

async function sample(minute) {
  const processes = [];
  for (const process of watched) processes.push({ app: process.app, ...(await vitals(process)) });
  const open = population.clients.filter(({ isOpen }) => isOpen).length;
  return { minute, open, processes, errors: new Map(population.ledger.errors) };
}

function describe({ open, processes, errors }) {
  const each = processes.map(
    ({ app, megabytes, delayMs, sockets, timers: count }) =>
      `${app} ${megabytes} MB, p99 delay ${delayMs} ms, ${sockets} sockets, ${count} timers`,
  );
  const told = [...errors].map(([code, count]) => `${count} ${code}`).join(', ') || 'none';
  return `${open} sessions open; ${each.join('; ')}; errors: ${told}`;
}

function report() {
  const slopes = watched.map(({ app }) => {
    const points = samples.map(({ minute, processes }) => [
      minute,
      processes.find((each) => each.app === app).megabytes,
    ]);
    return `${app}: ${slope(points).toFixed(2)} MB per minute`;
  });
  const grown = watched.map(({ app }) =>
    [`${app}:`, ...growth(before.get(app), after.get(app)).map((line) => `  ${line}`)].join('\n'),
  );
  const refused = [...population.newcomers.refusals].map(([why, n]) => `${n} × ${why}`).join(', ');
  const { opened, tried } = population.newcomers;
  return [
    `${minutes} minutes, ${sessions} sessions, seed ${seed}`,
    `memory: ${slopes.join('; ')}`,
    `new sessions: ${opened} of ${tried}; refused: ${refused || 'none'}`,
    `error events: ${JSON.stringify(Object.fromEntries(population.ledger.errors))}`,
    'objects that the heaps have more of, at rest before and after:',
    ...grown,
    ...broken.map(({ name, reasons }) => `BROKEN: ${name}\n  ${reasons.join('\n  ')}`),
  ].join('\n');
}

/** Of the line through these points, by least squares. */
function slope(points) {
  const mean = (n) => points.reduce((sum, point) => sum + point[n], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const rise = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  const run = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  return run === 0 ? 0 : rise / run;
}
