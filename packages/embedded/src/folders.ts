import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './process-table.js';

/**
 * A new folder next to the target, to fill and rename. Removes those left behind by killed
 * processes.
 */
export async function stagingFolder(target: string): Promise<string> {
  const prefix = `${basename(target)}.new-`;
  for (const name of await readdir(dirname(target))) {
    const abandoned =
      name.startsWith(prefix) && !isAlive(Number.parseInt(name.slice(prefix.length), 10));
    if (abandoned) await rm(join(dirname(target), name), { recursive: true, force: true });
  }
  return mkdtemp(`${target}.new-${process.pid}-`);
}

/**
 * Renames a finished folder to its final name; if another process was first, its result is
 * equivalent.
 */
export async function moveIntoPlace(staging: string, target: string): Promise<void> {
  try {
    await rename(staging, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await rm(staging, { recursive: true, force: true });
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Creates a folder and its parents. Node's recursive mkdir never returns if a file system reports
 * "no such file" below an existing folder, as /proc does.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  if (await exists(dirname(path))) return makeOne(path, mode);
  await makeFolder(dirname(path), mode);
  await makeOne(path, mode);
}

async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!taken || !(await stat(path)).isDirectory()) throw error;
  }
}
