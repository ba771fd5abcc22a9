import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataDir, readSecretsKey, secretsKeyFile } from '@parley/embedded';
import { isUuid } from '@parley/protocol';
import { StartupError } from '@parley/service-kit';

/** What standalone stores between starts, besides the database. */
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

export async function useDataDir(setting: string): Promise<DataDir> {
  const path = await openDataDir(setting);
  return {
    path,
    secretsKey: () => secretsKey(path),
    readCredentials: () => readCredentials(join(path, 'credentials.json')),
    writeCredentials: (credentials) =>
      writePrivate(join(path, 'credentials.json'), `${JSON.stringify(credentials, null, 2)}\n`),
  };
}

async function secretsKey(dataDir: string): Promise<string> {
  const kept = await readSecretsKey(dataDir);
  if (kept !== undefined) return kept;
  const key = randomBytes(32).toString('base64');
  await writePrivate(secretsKeyFile(dataDir), `${key}\n`);
  return key;
}

async function readCredentials(file: string): Promise<Credentials | undefined> {
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  const credentials = parseCredentials(text);
  if (credentials) return credentials;
  throw new StartupError(
    `${file} does not contain credentials. Repair it, or delete it to create a new demo organization.`,
  );
}

function parseCredentials(text: string): Credentials | undefined {
  try {
    const value = JSON.parse(text) as Record<keyof Credentials, unknown>;
    const ids = [value.organizationId, value.agentId];
    const whole = ids.every((id) => typeof id === 'string' && isUuid(id));
    return whole && typeof value.apiKey === 'string' ? (value as Credentials) : undefined;
  } catch {
    return undefined;
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

/** Written atomically, and readable only by its owner from the first byte on. */
async function writePrivate(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, text, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}
