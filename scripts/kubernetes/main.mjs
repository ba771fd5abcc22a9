// Runs the scenarios one after the other, each on what the one before left, and prints a table. Ends
// with exit code 1 if a promise was broken. Started by try.sh, which prepares the cluster.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Kube } from './kube.mjs';
import { runScenario } from './run-scenario.mjs';
import { scenarios } from './scenarios.mjs';
import { Trial } from './trial.mjs';

const { values: flags } = parseArgs({
  options: {
    namespace: { type: 'string' },
    stage: { type: 'string' },
    images: { type: 'string' },
    tag: { type: 'string' },
    list: { type: 'boolean' },
    check: { type: 'boolean' },
    write: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    sessions: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const { namespace, stage, images, tag, only } = flags;
const began = Date.now();
const progress = (text) =>
  console.log(`try: ${Math.round((Date.now() - began) / 1000)} s: ${text}`);
for (const name of only ?? [])
  if (!Object.hasOwn(scenarios, name)) {
    console.error(`There is no scenario "${name}", only: ${Object.keys(scenarios).join(', ')}`);
    process.exit(2);
  }
if (flags.list)
  for (const [name, { what }] of Object.entries(scenarios)) console.log(`${name}: ${what}`);
if (flags.list || flags.check) process.exit();

const kube = new Kube({ namespace, stage, release: 'parley' });
const size = { sessions: Number(flags.sessions), newcomerMs: 500, callMs: 200, seed: flags.seed };
const trial = new Trial({ kube, images, tag, size });
const rows = [];
const wanted = Object.keys(scenarios).filter(
  (name) => !only || name === 'install' || only.includes(name),
);
const where = await describeCluster();
process.once('SIGTERM', () => {
  conclude();
  process.exit(1);
});
await trial.prepare();
for (const name of wanted) {
  const scenario = scenarios[name];
  const obstacle = scenario.needsHands && (await kube.noSignals());
  if (obstacle) {
    progress(`LEFT OUT: ${name}: no signals can be sent: ${obstacle}`);
    rows.push({ name, broken: [], obstacle });
    continue;
  }
  progress(`${name}: ${scenario.what}`);
  const start = Date.now();
  const row = await runScenario(scenario, { kube, trial, progress }).catch((error) => ({
    broken: [error.message],
  }));
  for (const reason of row.broken) console.log(`try: BROKEN: ${name}: ${reason}`);
  rows.push({ name, seconds: Math.round((Date.now() - start) / 1000), ...row });
  if (name === 'install' && row.broken.length > 0) break;
}
conclude();
process.exit(rows.some(({ broken }) => broken.length > 0) ? 1 : 0);

function conclude() {
  const table = report();
  console.log(`\n${table}\n`);
  if (flags.write) writeInto(join(import.meta.dirname, '../../deploy/README.md'), table);
}

function verdict({ broken, obstacle }) {
  if (obstacle) return 'left out';
  return broken.length === 0 ? 'kept' : `${broken.length} broken`;
}

function report() {
  const columns = {
    scenario: ({ name }) => name,
    seconds: ({ seconds }) => seconds,
    'sessions open before': ({ tried }) => tried,
    survived: ({ survived }) => survived,
    'on another gateway': ({ continued }) => continued,
    'closed, by code': ({ closed }) => closed,
    'new sessions answered': ({ newAnswered, newTried }) =>
      newTried === undefined ? undefined : `${newAnswered} of ${newTried}`,
    failed: ({ newFailed }) => newFailed,
    'API calls': ({ callsTried }) => callsTried,
    'failed, by status': ({ callsFailed }) => callsFailed,
    'containers restarted': ({ restarts }) => restarts,
    'longest stall of the load': ({ stalledMs }) =>
      stalledMs === undefined ? undefined : `${(stalledMs / 1000).toFixed(1)} s`,
    promises: verdict,
  };
  const line = (cells) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`;
  return [
    `On ${new Date().toISOString().slice(0, 10)}, after ${rows.length} of ${wanted.length} scenarios, ${where}:`,
    '',
    line(Object.keys(columns)),
    line(Object.keys(columns).map(() => '---')),
    ...rows.map((row) => line(Object.values(columns).map((cell) => cell(row)))),
  ].join('\n');
}

async function describeCluster() {
  const { serverVersion } = JSON.parse(await kube.kubectl(['version', '--output', 'json']));
  const { items } = await kube.get(['nodes']);
  const [{ status }] = items;
  const nodes = items.length === 1 ? 'one node' : `${items.length} nodes`;
  return `Kubernetes ${serverVersion.gitVersion}, ${nodes} with ${status.capacity.cpu} cores (${status.nodeInfo.architecture})`;
}

function writeInto(file, text) {
  const marked = /(<!-- trial: .*-->\n)[^]*(<!-- end of trial -->)/;
  const page = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    page.replace(marked, (_all, begin, end) => `${begin}\n${text}\n\n${end}`),
  );
}
