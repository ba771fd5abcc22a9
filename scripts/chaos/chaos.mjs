// Breaks a real cluster, one fault after the other, while a population with exact books uses it, and
// checks after each what Parley promises. Ends with a table, and with exit code 1 if a promise broke.
//
//   npm run chaos                      every scenario; the table goes to RESULTS.md
//   npm run chaos -- --quick           the most important ones, with few clients; writes no file
//   npm run chaos -- --only NAME       one scenario; may be repeated
//   npm run chaos -- --sessions 12     with so many clients
//   npm run chaos -- --seed SEED       the same choices as in the run that printed it
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { teardown } from '@parley/testkit';
import { takeBaseline } from './baseline.mjs';
import { randomOf } from './random.mjs';
import { runScenario } from './run-scenario.mjs';
import { scenarios } from './scenarios.mjs';
import { Stage } from './stage.mjs';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    seed: { type: 'string' },
    sessions: { type: 'string' },
  },
});
const seed = flags.seed ?? String(randomInt(2 ** 31));
const size = Number(flags.sessions ?? (flags.quick ? 12 : 36));
const wanted = Object.entries(scenarios).filter(([name, { quick }]) =>
  flags.only ? flags.only.includes(name) : !flags.quick || quick,
);
const chosen = wanted.filter(([, { needs }]) => needs === undefined);
const began = Date.now();
const progress = (text) =>
  console.log(`chaos: ${Math.round((Date.now() - began) / 1000)} s: ${text}`);

for (const name of flags.only ?? [])
  if (!Object.hasOwn(scenarios, name)) {
    console.error(`There is no scenario "${name}", only: ${Object.keys(scenarios).join(', ')}`);
    process.exit(2);
  }

// Whatever hangs, the run ends.
const minutes = 3 + 4 * chosen.length;
setTimeout(() => {
  console.error(`The run did not end within ${minutes} minutes.`);
  process.exit(1);
}, minutes * 60_000).unref();

progress(`seed ${seed}; npm run chaos -- --seed ${seed} makes the same choices`);
for (const [name, { needs }] of wanted) if (needs) progress(`LEFT OUT: ${name} needs ${needs}`);
const rows = [];
await runInCluster(chosen.filter(([, { alone }]) => !alone));
for (const [name, scenario] of chosen.filter(([, { alone }]) => alone)) {
  progress(`${name}: ${scenario.what}`);
  await attempt(name, () => scenario.alone({ random: randomOf(seed, name), progress }));
}
await teardown();
console.log(report());
process.exitCode = rows.some(({ broken }) => broken.length > 0) ? 1 : 0;

async function runInCluster(list) {
  if (list.length === 0) return;
  const stage = await Stage.open({ progress });
  const options = { stage, seed, size };
  const quiet = { what: 'nothing fails', seconds: 2 };
  await attempt('none', () => runScenario('none', quiet, options));
  const baseline = await takeBaseline(stage);
  for (const [name, scenario] of list) {
    progress(`${name}: ${scenario.what}`);
    await attempt(name, () => runScenario(name, scenario, { ...options, baseline }));
  }
  progress('stopping');
  await stage.close();
}

/** A scenario that cannot be carried out to its end broke a promise, too. */
async function attempt(name, run) {
  const row = await run().catch((error) => ({
    broken: [{ name: 'the scenario ends', reasons: [error.stack] }],
  }));
  for (const { name: promise, reasons } of row.broken)
    console.log(`chaos: BROKEN after "${name}": ${promise}\n  ${reasons.join('\n  ')}`);
  rows.push({ name, ...row });
  if (!flags.quick && !flags.only) writeFileSync(join(import.meta.dirname, 'RESULTS.md'), report());
}

function report() {
  const [{ model }] = cpus();
  const columns = {
    scenario: 'name',
    tried: 'tried',
    survived: 'survived',
    lost: 'lost',
    'restored elsewhere': 'restored',
    renewed: 'renewed',
    turns: 'turns',
    'tool calls': 'bills',
    'writes accepted': 'writes',
    'new sessions': 'newcomers',
  };
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const verdict = ({ broken }) =>
    broken.length === 0 ? 'kept' : broken.map(({ name }) => name).join('; ');
  return [
    '# What survives',
    '',
    `\`npm run chaos\` wrote this on ${new Date().toISOString().slice(0, 10)}, after ${rows.length - 1} of ${chosen.length} scenarios, seed ${seed}: ${cpus().length} cores (${model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}.`,
    '',
    'Tried, survived and lost are sessions that were open when the fault began, half of them resumable. A session survived if it answers afterwards.',
    '',
    line([...Object.keys(columns), 'promises']),
    line(Array(Object.keys(columns).length + 1).fill('---')),
    ...rows.map((row) =>
      line([...Object.values(columns).map((key) => row[key] ?? ''), verdict(row)]),
    ),
    '',
  ].join('\n');
}
