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
await trial.prepare();
for (const [name, scenario] of Object.entries(scenarios)) {
  if (only && name !== 'install' && !only.includes(name)) continue;
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
const table = await report();
console.log(`\n${table}\n`);
if (flags.write) writeInto(join(import.meta.dirname, '../../deploy/README.md'), table);
process.exitCode = rows.some(({ broken }) => broken.length > 0) ? 1 : 0;

function verdict({ broken, obstacle }) {
  if (obstacle) return 'left out';
  return broken.length === 0 ? 'kept' : `${broken.length} broken`;
}

async function report() {
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
    promises: verdict,
  };
  const line = (cells) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`;
  const { serverVersion } = JSON.parse(await kube.kubectl(['version', '--output', 'json']));
  const { items: nodes } = await kube.get(['nodes']);
  return [
    `On ${new Date().toISOString().slice(0, 10)}, Kubernetes ${serverVersion.gitVersion}, ${nodes.length} node${nodes.length === 1 ? '' : 's'} (${nodes[0].status.capacity.cpu} cores, ${nodes[0].status.nodeInfo.architecture}), half of the sessions resumable:`,
    '',
    line(Object.keys(columns)),
    line(Object.keys(columns).map(() => '---')),
    ...rows.map((row) => line(Object.values(columns).map((cell) => cell(row)))),
  ].join('\n');
}

function writeInto(file, text) {
  const marked = /(<!-- trial: .*-->\n)[^]*(<!-- end of trial -->)/;
  const page = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    page.replace(marked, (_all, begin, end) => `${begin}\n${text}\n\n${end}`),
  );
}
