import { relative } from 'node:path';
import Mocha from 'mocha';
import { notInstalled } from './needs.js';

const SLOWEST = 10;
const { EVENT_HOOK_END, EVENT_TEST_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } =
  Mocha.Runner.constants;

/**
 * Watches a run. The returned function reports where the time went, what was skipped, and how to
 * run it.
 */
export function watchRun(runner: Mocha.Runner): () => void {
  const msByFile = new Map<string, number>();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const time = ({ file, duration }: Mocha.Runnable) => {
    if (file !== undefined) msByFile.set(file, (msByFile.get(file) ?? 0) + (duration ?? 0));
  };
  runner.on(EVENT_TEST_END, time);
  runner.on(EVENT_HOOK_END, time);
  runner.on(EVENT_TEST_PASS, () => (counts.passed += 1));
  runner.on(EVENT_TEST_FAIL, () => (counts.failed += 1));
  runner.on(EVENT_TEST_PENDING, () => (counts.skipped += 1));
  return () => {
    if (msByFile.size > SLOWEST) tellSlowest(msByFile);
    if (counts.skipped > 0) tellMissing();
    const { passed, failed, skipped } = counts;
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  };
}

function tellSlowest(msByFile: ReadonlyMap<string, number>): void {
  const files = [...msByFile].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
  console.log(`The ${SLOWEST} slowest files:`);
  for (const [file, ms] of files)
    console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${relative(process.cwd(), file)}`);
  console.log();
}

function tellMissing(): void {
  const missing = notInstalled();
  if (missing.length === 0) return;
  console.log('Some cases were skipped, because they need what is not here:');
  for (const { what } of missing) console.log(`  ${what}`);
  console.log('On Debian or Ubuntu, one command installs all of it: .ci/tools\n');
}
