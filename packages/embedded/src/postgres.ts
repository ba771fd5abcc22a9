import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { CLUSTER_USER, openCluster } from './cluster-files.js';
import { locateCluster, type ClusterLocation } from './cluster-location.js';
import { readPassword } from './cluster-password.js';
import { EmbeddedEngineError, type EmbeddedServer } from './embedded-engine.js';
import { freePort } from './free-port.js';
import { bundledBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { PostmasterStartError, spawnPostmaster, type Postmaster } from './postmaster.js';
import {
  findPostmaster,
  removeEmptyLock,
  removeForeignLock,
  stopOrphan,
} from './running-postmaster.js';

export type EmbeddedPostgresOptions = {
  dataDir: string;
  /**
   * Called for steps that take long or may surprise: creating the database, another location, a
   * copy.
   */
  onProgress?: (message: string) => void;
  onLog?: (line: string) => void;
  /** Called once if the server dies without stop(). */
  onExit?: (error: EmbeddedEngineError) => void;
};

/** Another running process uses the data directory. */
export class DataDirInUseError extends EmbeddedEngineError {
  override readonly name = 'DataDirInUseError';
  constructor(dataDir: string) {
    super(`This DATA_DIR is in use by another Parley: ${resolve(dataDir)}`);
  }
}

const SETTINGS = { max_connections: 200, shared_buffers: '64MB' };
const START_ATTEMPTS = 10;
const ANSWER_PATIENCE_MS = 30_000;
const CANNOT_CONNECT_NOW = '57P03';
const WRONG_PASSWORD = '28P01';

/**
 * Starts the PostgreSQL that npm install brought on the data in dataDir/postgres, which is created
 * on the first start. If this process is killed, the server keeps running; the next start stops it
 * and starts a new one.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedServer> {
  try {
    return await start(options);
  } catch (error) {
    if (error instanceof EmbeddedEngineError) throw error;
    const { message } = error as Error;
    throw new EmbeddedEngineError(`The embedded PostgreSQL cannot start: ${message}`, {
      cause: error,
    });
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedServer> {
  const { dataDir, onProgress, onExit } = options;
  const location = await locateCluster({ dataDir, onProgress });
  await freeFromOrphan(location.directory, dataDir);
  const binaries = await bundledBinaries({ ...location, onProgress });
  const password = await openCluster(location, binaries, onProgress);
  const { postmaster, port } = await launch({ location, binaries, options });
  const url = clusterUrl(password, port);

  let stopped = false;
  const stop = () => {
    stopped = true;
    return postmaster.stop();
  };
  void postmaster.exited.then((reason) => {
    if (!stopped) onExit?.(new EmbeddedEngineError(`The embedded PostgreSQL has died: ${reason}`));
  });
  try {
    await connectOnce(url);
    return { url, stop };
  } catch (error) {
    await stop();
    if (!isDatabaseError(error, WRONG_PASSWORD)) throw error;
    throw new EmbeddedEngineError(
      `The embedded PostgreSQL rejects the password in ${location.passwordFile}`,
      { cause: error },
    );
  }
}

/** The server that already runs on dataDir, whose stop() then does nothing, or else a new one. */
export async function connectOrStartEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedServer> {
  const { dataDir, onProgress } = options;
  const location = await locateCluster({ dataDir, onProgress });
  const deadline = Date.now() + ANSWER_PATIENCE_MS;
  for (;;) {
    const running = await attach(location);
    if (running !== undefined) return running;
    try {
      return await startEmbeddedPostgres(options);
    } catch (error) {
      // Another start came first, or the server is just stopping.
      if (!(error instanceof DataDirInUseError) || Date.now() > deadline) throw error;
      await delay(100);
    }
  }
}

async function attach(location: ClusterLocation): Promise<EmbeddedServer | undefined> {
  const running = await findPostmaster(location.directory);
  if (running?.port === undefined) return undefined;
  const url = clusterUrl(await readPassword(location.passwordFile), running.port);
  try {
    await connectOnce(url);
    return { url, stop: () => Promise.resolve() };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED' || isDatabaseError(error, CANNOT_CONNECT_NOW)) return undefined;
    throw new EmbeddedEngineError(`The running embedded PostgreSQL cannot be used: ${message}`, {
      cause: error,
    });
  }
}

async function freeFromOrphan(directory: string, dataDir: string): Promise<void> {
  const running = await findPostmaster(directory);
  if (running === undefined) return;
  if (!running.orphaned) throw new DataDirInUseError(dataDir);
  await stopOrphan(directory, running);
}

async function launch(cluster: {
  location: ClusterLocation;
  binaries: PostgresBinaries;
  options: EmbeddedPostgresOptions;
}): Promise<{ postmaster: Postmaster; port: number }> {
  const { directory, runAs } = cluster.location;
  const { dataDir, onLog } = cluster.options;
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      const postmaster = await spawnPostmaster({
        binDir: cluster.binaries.binDir,
        directory,
        port,
        settings: SETTINGS,
        runAs,
        onLog,
      });
      return { postmaster, port };
    } catch (error) {
      if (!(error instanceof PostmasterStartError)) throw error;
      const again = attempt < START_ATTEMPTS && (await canRetry(error, directory));
      if (again) continue;
      if (error.fault === 'in use') throw new DataDirInUseError(dataDir);
      throw new EmbeddedEngineError(`PostgreSQL did not start on ${directory}: ${error.message}`);
    }
  }
}

async function canRetry(error: PostmasterStartError, directory: string): Promise<boolean> {
  switch (error.fault) {
    case 'port taken':
      return true;
    case 'lock unclear':
      await removeEmptyLock(directory);
      await delay(300);
      return true;
    case 'in use':
      return removeForeignLock(directory);
    case 'memory in use':
    case 'other':
      return false;
  }
}

function clusterUrl(password: string, port: number): string {
  return `postgres://${CLUSTER_USER}:${password}@127.0.0.1:${port}/postgres`;
}

async function connectOnce(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // connect() and end() report it
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

function isDatabaseError(error: unknown, code: string): boolean {
  return error instanceof DatabaseError && error.code === code;
}
