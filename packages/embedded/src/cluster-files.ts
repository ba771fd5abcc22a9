import { chown, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterLocation } from './cluster-location.js';
import { keepPassword, readPassword } from './cluster-password.js';
import { EmbeddedEngineError } from './embedded-engine.js';
import { moveIntoPlace, stagingFolder } from './folders.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import type { RunAs } from './run-as.js';
import { runCommand } from './run-command.js';

/** The cluster's superuser. */
export const CLUSTER_USER = 'parley';

export type NewCluster = {
  binaries: PostgresBinaries;
  directory: string;
  password: string;
  runAs?: RunAs | undefined;
};

/**
 * Makes sure that the location contains a cluster that these binaries can run, and returns its
 * password.
 */
export async function openCluster(
  location: ClusterLocation,
  binaries: PostgresBinaries,
  onProgress?: (message: string) => void,
): Promise<string> {
  const { directory, passwordFile, runAs } = location;
  const version = await clusterVersion(directory);
  if (version === undefined) {
    onProgress?.(`Creating a PostgreSQL database in ${directory}`);
    const password = await keepPassword(passwordFile);
    await createCluster({ binaries, directory, password, runAs });
    return password;
  }
  if (version !== String(binaries.major))
    throw new EmbeddedEngineError(
      `${directory} was created by PostgreSQL ${version}, but this version of Parley includes PostgreSQL ${binaries.major}: ` +
        'dump it with the old version and restore it, or set DATABASE_URL',
    );
  return readPassword(passwordFile);
}

/**
 * Runs initdb in a staging folder and renames the result, so that a partial cluster never has the
 * final name.
 */
export async function createCluster(cluster: NewCluster): Promise<void> {
  const { binaries, directory, password, runAs } = cluster;
  const staging = await stagingFolder(directory);
  const [data, passwordFile] = [join(staging, 'data'), join(staging, 'password')];
  try {
    await mkdir(data, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (runAs !== undefined)
      for (const path of [staging, data, passwordFile]) await chown(path, runAs.uid, runAs.gid);
    const args = [
      `--pgdata=${data}`,
      `--pwfile=${passwordFile}`,
      `--username=${CLUSTER_USER}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-instructions',
      ...localeArguments(binaries.major),
    ];
    const outcome = await runCommand(join(binaries.binDir, 'initdb'), args, runAs);
    if (!outcome.ok)
      throw new EmbeddedEngineError(
        `PostgreSQL could not create a database in ${directory}: ${outcome.reason}`,
      );
    await moveIntoPlace(data, directory);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * PostgreSQL's built-in Unicode rules, where available, do not depend on this machine's locales.
 */
function localeArguments(major: number): string[] {
  return major >= 17
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C'];
}

async function clusterVersion(directory: string): Promise<string | undefined> {
  const entries = await listing(directory);
  if (entries.length === 0) return undefined;
  if (!entries.includes('PG_VERSION')) throw notCluster(directory);
  return (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
}

async function listing(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code !== 'EACCES') throw notCluster(directory);
    const { uid } = await stat(directory);
    throw new EmbeddedEngineError(
      `${directory} belongs to another user (uid ${uid}): start as that user, or as root`,
    );
  }
}

function notCluster(directory: string): EmbeddedEngineError {
  return new EmbeddedEngineError(
    `${directory} is not a PostgreSQL data directory: move it away, or restore its files`,
  );
}
