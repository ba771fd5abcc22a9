import type { Stats } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedEngineError } from './embedded-engine.js';
import { processEntry, type ProcessEntry } from './process-table.js';

/** A server that runs on a data directory, whoever started it. */
export type RunningPostmaster = {
  pid: number;
  /** Undefined while it is still starting. */
  port: number | undefined;
  /** The Parley that started it died without stopping it. */
  orphaned: boolean;
};

const STOP_PATIENCE_MS = 20_000;
const EMPTY_LOCK_AGE_MS = 2_000;

/**
 * Reads PostgreSQL's own lock file and compares it with the process table: after a crash, the pid
 * in it may be unused or belong to another program. A server whose parent is no longer the process
 * named in its arguments is an orphan.
 */
export async function findPostmaster(directory: string): Promise<RunningPostmaster | undefined> {
  const lock = await readLock(directory);
  if (lock === undefined) return undefined;
  const entry = await processEntry(lock.pid);
  if (entry === undefined) return undefined;
  if (!(await runsIn(entry, directory))) return undefined;
  const owner = /parley\.owner=(\d+)/.exec(entry.command)?.[1];
  return { ...lock, orphaned: owner !== undefined && Number(owner) !== entry.parent };
}

/**
 * PostgreSQL runs in its data directory, which its arguments also name. If neither can be
 * determined, any PostgreSQL is taken for this one.
 */
async function runsIn(entry: ProcessEntry, directory: string): Promise<boolean> {
  const itsDirectory = entry.workingDirectory ?? (await namedDirectory(entry));
  if (itsDirectory === undefined) return entry.command.includes('postgres');
  const { dev, ino } = await stat(directory);
  return itsDirectory.dev === dev && itsDirectory.ino === ino;
}

async function namedDirectory({ command }: ProcessEntry): Promise<Stats | undefined> {
  const [start, end] = [command.indexOf(' -D '), command.lastIndexOf(' -p ')];
  if (start === -1) return undefined;
  return stat(command.slice(start + ' -D '.length, end)).catch(() => undefined);
}

export async function stopOrphan(directory: string, { pid }: RunningPostmaster): Promise<void> {
  sendSignal(pid, 'SIGINT');
  const deadline = Date.now() + STOP_PATIENCE_MS;
  while ((await findPostmaster(directory))?.pid === pid) {
    if (Date.now() > deadline)
      throw new EmbeddedEngineError(
        `An earlier PostgreSQL (pid ${pid}) is still running on ${directory} and does not stop`,
      );
    await delay(50);
  }
}

/**
 * PostgreSQL removes a lock file whose process has ended, but refuses to start if the pid now
 * belongs to another program. Removes the file if that is certain.
 */
export async function removeForeignLock(directory: string): Promise<boolean> {
  const lock = await readLock(directory);
  const entry = lock && (await processEntry(lock.pid));
  if (entry === undefined || (await runsIn(entry, directory))) return false;
  await rm(lockFile(directory), { force: true });
  return true;
}

/**
 * An empty lock file belongs to a server that is just starting or, if it is old, to a machine that
 * lost power.
 */
export async function removeEmptyLock(directory: string): Promise<void> {
  const { size, mtimeMs } = await stat(lockFile(directory)).catch(() => ({ size: 1, mtimeMs: 0 }));
  if (size === 0 && Date.now() - mtimeMs > EMPTY_LOCK_AGE_MS)
    await rm(lockFile(directory), { force: true });
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
