import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedEngineError } from './embedded-engine.js';

/** Where standalone keeps the key that it generates if none is configured. */
export function secretsKeyFile(dataDir: string): string {
  return join(dataDir, 'secrets.key');
}

/** Undefined if none was generated yet. */
export async function readSecretsKey(dataDir: string): Promise<string | undefined> {
  const file = secretsKeyFile(dataDir);
  const key = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: unknown) => {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      throw new EmbeddedEngineError(`DATA_DIR cannot be used: ${message}`, { cause: error });
    },
  );
  if (key === undefined || Buffer.from(key, 'base64').length === 32) return key;
  throw new EmbeddedEngineError(
    `${file} does not contain a 32-byte key: restore it from a backup. Without it, the stored secrets cannot be read.`,
  );
}
