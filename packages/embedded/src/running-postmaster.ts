import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedEngineError } from './embedded-engine.js';
import { isAlive, processEntry } from './process-table.js';

/** A server that runs on a data directory, whoever started it. */
export interface RunningPostmaster {
  pid: number;
  /** Undefined while it is still starting. */
  port: number | undefined;
  /** The Parley that started it has died without stopping it. */
  orphaned: boolean;
}

const STOP_PATIENCE_MS = 20_000;

/**
 * Reads PostgreSQL's own lock file and checks it against the process table: after a crash the number in it may be
 * nobody's, or another program's. A server whose parent is no longer the process named in its arguments is an orphan.
 */
export async function findPostmaster(directory: string): Promise<RunningPostmaster | undefined> {
  const lock = await readLock(directory);
  if (lock === undefined) return undefined;
  const entry = await processEntry(lock.pid);
  if (entry === undefined) return undefined;
  const ours =
    entry.workingDirectory === undefined
      ? entry.command.includes('postgres')
      : entry.workingDirectory === directory;
  if (!ours) return undefined;
  const owner = /parley\.owner=(\d+)/.exec(entry.command)?.[1];
  return { ...lock, orphaned: owner !== undefined && Number(owner) !== entry.parent };
}

export async function stopOrphan(directory: string, { pid }: RunningPostmaster): Promise<void> {
  sendSignal(pid, 'SIGINT');
  const deadline = Date.now() + STOP_PATIENCE_MS;
  while ((await findPostmaster(directory))?.pid === pid) {
    if (Date.now() > deadline)
      throw new EmbeddedEngineError(
        `An earlier PostgreSQL (pid ${pid}) still runs on ${directory} and does not end`,
      );
    await delay(50);
  }
}

/**
 * PostgreSQL removes a lock file whose process is gone, but refuses to start when the number now belongs to another
 * program. Removes the file in that case.
 */
export async function removeForeignLock(directory: string): Promise<boolean> {
  const lock = await readLock(directory);
  if (lock === undefined || !isAlive(lock.pid)) return false;
  if ((await findPostmaster(directory)) !== undefined) return false;
  await rm(lockFile(directory), { force: true });
  return true;
}

/** The file's lines: pid, data directory, start time, port, … */
async function readLock(
  directory: string,
): Promise<Pick<RunningPostmaster, 'pid' | 'port'> | undefined> {
  const content = await readFile(lockFile(directory), 'utf8').catch(() => '');
  const [pid, , , port] = content.split('\n').map(Number);
  if (pid === undefined || !(pid > 0)) return undefined;
  return { pid, port: port !== undefined && port > 0 ? port : undefined };
}

function lockFile(directory: string): string {
  return join(directory, 'postmaster.pid');
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
