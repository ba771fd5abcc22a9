import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { EmbeddedEngineError } from './embedded-engine.js';

export async function readPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new EmbeddedEngineError(
      `The password of the embedded database cannot be read from ${file} (${code ?? 'unknown'})`,
      { cause: error },
    );
  }
}

/**
 * Creates a password if there is none. It is linked into place atomically, so that two concurrent
 * first starts agree on one.
 */
export async function keepPassword(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readPassword(file);
}
