import { relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type Mocha from 'mocha';
import type { RootHookObject } from 'mocha';
import { countAssertions, takeAssertionCount } from './assertion-count.js';
import { nothingLeftOpen, openResources } from './leftovers.js';
import { watchRun } from './report.js';
import { shareRunServers } from './run-servers.js';
import { teardown } from './teardown.js';

let atStart: ReadonlyMap<string, number> = new Map();
let report: () => void;
countAssertions();
// Coverage counts what runs in mocha's own processes. In the many that tests start, it would cost a
// fifth of the run and find next to nothing new.
if (process.env['MOCHA_WORKER_ID'] !== undefined) delete process.env['NODE_V8_COVERAGE'];

/** Runs once, in mocha's main process. */
export async function mochaGlobalSetup(
  this: Mocha.Runner & { isParallelMode(): boolean },
): Promise<void> {
  report = watchRun(this);
  if (this.isParallelMode()) await shareRunServers();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await teardown();
  report();
}

/** Run per file if files run in parallel, otherwise once for all of them. */
export const mochaHooks: RootHookObject = {
  async beforeAll() {
    await setImmediate(); // from here on, mocha's own timer counts, as it does in afterAll
    atStart = openResources();
  },
  beforeEach() {
    takeAssertionCount();
  },
  afterEach(this: Mocha.Context) {
    const { currentTest } = this;
    keepCause(currentTest?.err);
    if (currentTest?.state === 'passed' && takeAssertionCount() === 0)
      throw new Error(`"${currentTest.fullTitle()}" asserts nothing`);
  },
  async afterAll(this: Mocha.Context) {
    await teardown();
    await nothingLeftOpen(atStart, filesOf(this.test));
  },
};

/** A worker sends an error's enumerable properties to the reporter, and its cause is none of them. */
function keepCause(error: Error | undefined): void {
  if (error?.cause !== undefined)
    Object.defineProperty(error, 'cause', { value: error.cause, enumerable: true });
}

function filesOf(hook: Mocha.Runnable | undefined): string {
  const files = hook?.parent?.suites.flatMap(({ file }) => file ?? []) ?? [];
  return [...new Set(files)].map((file) => relative(process.cwd(), file)).join(', ');
}
