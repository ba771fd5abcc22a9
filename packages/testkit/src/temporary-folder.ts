import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entrust, release } from './reaper.js';
import { stopAtTeardown } from './teardown.js';

/**
 * A new folder that is removed at the end of the run. Other users may traverse it, but not list it.
 */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-test-')));
  entrust({ folder });
  await chmod(folder, 0o711);
  stopAtTeardown({
    stop: async () => {
      await rm(folder, { recursive: true, force: true });
      release({ folder });
    },
  });
  return folder;
}
