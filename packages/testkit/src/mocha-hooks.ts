import { teardown } from './teardown.js';

const patienceMs = 30_000;

/** A test that leaves something open would keep the run from ending: the run then fails and says what is open. */
export async function mochaGlobalTeardown(): Promise<void> {
  await teardown();
  setTimeout(() => {
    console.error(
      `testkit: still open after the run: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    process.exit(1);
  }, patienceMs).unref();
}
