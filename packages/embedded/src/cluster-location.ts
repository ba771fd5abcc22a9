import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { EmbeddedEngineError } from './embedded-engine.js';
import { exists, makeFolder } from './folders.js';
import { canReach, isRoot, unprivilegedUser, type RunAs } from './run-as.js';

/** Where a PostgreSQL cluster lives and who runs it. */
export type ClusterLocation = {
  /**
   * The folder that contains the cluster, its staging folders and, if necessary, a copy of the
   * binaries.
   */
  base: string;
  /** PostgreSQL's own data directory. */
  directory: string;
  passwordFile: string;
  runAs: RunAs | undefined;
};

export type LocateOptions = {
  dataDir: string;
  onProgress?: ((message: string) => void) | undefined;
  /** Where root keeps a cluster if PostgreSQL's user cannot reach the data folder. */
  stateDir?: string;
};

/**
 * The cluster is in DATA_DIR/postgres. Root has to run PostgreSQL as another user; if that user
 * cannot reach DATA_DIR (a checkout in a private home folder), the cluster is kept below
 * /var/lib/parley, named after DATA_DIR.
 */
export async function locateCluster(options: LocateOptions): Promise<ClusterLocation> {
  const dataDir = await openDataDir(options.dataDir);
  const passwordFile = join(dataDir, 'postgres-password');
  const at = (base: string, runAs: RunAs | undefined): ClusterLocation => ({
    base,
    directory: join(base, 'postgres'),
    passwordFile,
    runAs,
  });
  if (!isRoot()) return at(dataDir, undefined);

  const elsewhere = relocated(dataDir, options.stateDir ?? '/var/lib/parley');
  for (const base of [dataDir, elsewhere]) {
    const owner = await ownerOf(join(base, 'postgres'));
    if (owner === undefined) continue;
    if (await canReach(owner, base)) return at(base, owner);
    throw new EmbeddedEngineError(
      `The user that owns ${join(base, 'postgres')} (uid ${owner.uid}) can no longer reach it: make every folder above it traversable`,
    );
  }
  const runAs = await unprivilegedUser();
  if (runAs === undefined || (await canReach(runAs, dataDir))) return at(dataDir, runAs);
  await makeFolder(elsewhere, 0o755).catch((error: unknown) => {
    throw new EmbeddedEngineError(
      `PostgreSQL's user (uid ${runAs.uid}) cannot reach ${dataDir}, and ${elsewhere} cannot be created: set DATA_DIR to a folder below one that every user can traverse`,
      { cause: error },
    );
  });
  options.onProgress?.(
    `PostgreSQL does not run as root, and its user (uid ${runAs.uid}) cannot reach ${dataDir}: storing the database in ${elsewhere}`,
  );
  return at(elsewhere, runAs);
}

/** The real path of the folder, which is created if necessary and writable. */
export async function openDataDir(dataDir: string): Promise<string> {
  try {
    // Root's PostgreSQL runs as another user, who must be able to traverse it.
    await makeFolder(resolve(dataDir), isRoot() ? 0o711 : 0o700);
    await access(dataDir, constants.W_OK | constants.X_OK);
    return await realpath(dataDir);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = REASONS.get(code) ?? message;
    throw new EmbeddedEngineError(`DATA_DIR ${dataDir} cannot be used: ${why}`, { cause: error });
  }
}

const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ['EEXIST', 'it is a file, not a folder'],
  ['ENOENT', 'the name is not valid for a folder'],
  ['ENOTDIR', 'a part of the path is a file, not a folder'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
]);

function relocated(dataDir: string, stateDir: string): string {
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  return join(stateDir, `${basename(dataDir).replace(/^\.+/, '')}-${digest}`);
}

/** The owner of an existing cluster keeps running it, so that its files never change owners. */
async function ownerOf(directory: string): Promise<RunAs | undefined> {
  if (!(await exists(join(directory, 'PG_VERSION')))) return undefined;
  const { uid, gid } = await stat(directory);
  if (uid === 0)
    throw new EmbeddedEngineError(
      `${directory} belongs to root, and PostgreSQL does not run as root: give it to an ordinary user with chown -R`,
    );
  return { uid, gid };
}
