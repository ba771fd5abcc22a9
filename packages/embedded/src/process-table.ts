import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface ProcessEntry {
  parent: number;
  command: string;
  /** Device and inode, the same by whichever path it was entered. Known on Linux only. */
  workingDirectory: { dev: number; ino: number } | undefined;
}

/** Whether a process exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process runs; one that has ended but was not waited for does not. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await processEntry(pid)) !== undefined;
}

/** What the system knows about a process; undefined when it has ended. */
export async function processEntry(pid: number): Promise<ProcessEntry | undefined> {
  try {
    return process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  } catch {
    return undefined;
  }
}

async function fromProc(pid: number): Promise<ProcessEntry> {
  const [status, command, workingDirectory] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
    stat(`/proc/${pid}/cwd`),
  ]);
  // pid (name) state parent …; the name may hold blanks and brackets.
  const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
  return { parent, command: command.replaceAll('\0', ' '), workingDirectory };
}

async function fromPs(pid: number): Promise<ProcessEntry> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,command=', '-p', String(pid)]);
  const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
  if (parent === undefined || command === undefined) throw new Error('No such process');
  return { parent: Number(parent), command, workingDirectory: undefined };
}
