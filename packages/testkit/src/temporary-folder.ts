import { rmSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopAtTeardown } from './teardown.js';

/** A new folder that is removed at the end of the run. Other users may pass through it, but not list it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-test-')));
  await chmod(folder, 0o711);
  stopAtTeardown({
    stop: () => rm(folder, { recursive: true, force: true }),
    stopNow: () => rmSync(folder, { recursive: true, force: true }),
  });
  return folder;
}
