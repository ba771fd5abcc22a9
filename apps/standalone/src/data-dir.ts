import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartupError } from '@parley/service-kit';

/** What standalone keeps between starts, besides the database. */
export type DataDir = {
  path: string;
  secretsKey(): Promise<string>;
  readCredentials(): Promise<Credentials | undefined>;
  writeCredentials(credentials: Credentials): Promise<void>;
};

/** Scripts read these names from credentials.json. */
export type Credentials = {
  baseUrl: string;
  organizationId: string;
  apiKey: string;
  agentId: string;
};

export async function openDataDir(setting: string): Promise<DataDir> {
  const path = resolve(setting);
  try {
    await mkdir(path, { recursive: true, mode: 0o755 });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartupError(`DATA_DIR cannot be used: ${reason}`, { cause });
  }
  return {
    path,
    secretsKey: () => secretsKey(join(path, 'secrets.key')),
    readCredentials: () => readCredentials(join(path, 'credentials.json')),
    writeCredentials: (credentials) =>
      writePrivate(join(path, 'credentials.json'), `${JSON.stringify(credentials, null, 2)}\n`),
  };
}

async function secretsKey(file: string): Promise<string> {
  const kept = await readIfThere(file);
  if (kept !== undefined) return kept.trim();
  const key = randomBytes(32).toString('base64');
  await writePrivate(file, `${key}\n`);
  return key;
}

async function readCredentials(file: string): Promise<Credentials | undefined> {
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Credentials;
  } catch {
    throw new StartupError(`${file} is not JSON: repair or delete it; a new key is then made.`);
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartupError(`DATA_DIR cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Whole or not at all, and readable by its owner only from the first byte on. */
async function writePrivate(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, text, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}
