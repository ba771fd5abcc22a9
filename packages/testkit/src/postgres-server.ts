import { execFile } from 'node:child_process';
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  CLUSTER_USER,
  bundledBinaries,
  createCluster,
  freePort,
  inspectBinaries,
  spawnPostmaster,
  unprivilegedUser,
  type PostgresBinaries,
} from '@parley/embedded';
import type { KillableServer } from './killable-server.js';
import { findPrograms } from './programs.js';
import { entrust, release } from './reaper.js';
import { forget, stopAtTeardown } from './teardown.js';
import { temporaryFolder } from './temporary-folder.js';

const PASSWORD = 'testkit';
const OLDEST_MAJOR = 14;
/**
 * Tests only rely on what survives the kill of a process; power cuts do not matter. Vacuuming would
 * visit hundreds of short-lived databases. What a killed server shares between its processes stays
 * in its folder, which is deleted.
 */
const SETTINGS = {
  autovacuum: 'off',
  dynamic_shared_memory_type: 'mmap',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: 300,
};

/** Does not check the password of the tests themselves, which takes half of the time of a connection. */
const TRUST = `host all ${CLUSTER_USER} 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n`;

/**
 * Starts a PostgreSQL for one test, from the local binaries if there are any, otherwise from the
 * embedded ones.
 */
export async function startPostgresServer(
  binaries?: PostgresBinaries,
  { trusting = false } = {},
): Promise<KillableServer> {
  const [port, folder, runAs] = [
    await freePort(),
    await temporaryFolder(),
    await unprivilegedUser(),
  ];
  const program =
    binaries ?? (await localBinaries()) ?? (await bundledBinaries({ base: folder, runAs }));
  const directory = join(folder, 'postgres');
  await createCluster({ binaries: program, directory, password: PASSWORD, runAs });
  if (trusting) await writeFile(join(directory, 'pg_hba.conf'), TRUST);
  const launch = async () => {
    const { binDir } = program;
    const started = await spawnPostmaster({ binDir, directory, port, settings: SETTINGS, runAs });
    const remains = { pid: started.pid, signal: 'SIGQUIT' } as const;
    entrust(remains);
    void started.exited.then(() => release(remains));
    return started;
  };
  let postmaster = await launch();
  const server: KillableServer = {
    url: `postgres://${CLUSTER_USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    port,
    get pid() {
      return postmaster.pid;
    },
    kill: async (signal = 'SIGKILL') => {
      if (signal === 'SIGSTOP' || signal === 'SIGCONT') await signalFamily(postmaster.pid, signal);
      else {
        postmaster.kill(signal);
        await postmaster.exited;
      }
    },
    restart: async () => {
      await server.kill();
      postmaster = await launch();
    },
    stop: async () => {
      await postmaster.stop();
      forget(server);
    },
  };
  stopAtTeardown(server);
  return server;
}

/** The newest PostgreSQL installed on this machine. */
export async function localBinaries(): Promise<PostgresBinaries | undefined> {
  const found: PostgresBinaries[] = [];
  // PostgreSQL finds its other files next to the real program, not next to a link to it.
  const programs = await Promise.all(findPrograms('postgres').map((path) => realpath(path)));
  for (const program of new Set(programs)) {
    const binaries = await inspectBinaries(dirname(program)).catch(() => undefined);
    if (binaries !== undefined && binaries.major >= OLDEST_MAJOR) found.push(binaries);
  }
  return found.sort((a, b) => b.major - a.major)[0];
}

/**
 * Signals the postmaster first, so that it starts no more processes. Each connection has its own
 * process, which may be gone by now.
 */
async function signalFamily(postmaster: number, signal: NodeJS.Signals): Promise<void> {
  process.kill(postmaster, signal);
  const pairs = process.platform === 'linux' ? await fromProc() : await fromPs();
  const children = pairs.flatMap(([pid, ppid]) => (pid && ppid === postmaster ? [pid] : []));
  for (const pid of children)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

async function fromProc(): Promise<number[][]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const pairs = pids.map(async (pid) => {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // pid (name) state parent …; the name may contain spaces and brackets.
    return [pid, Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])];
  });
  return Promise.all(pairs);
}

async function fromPs(): Promise<number[][]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
}
