import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

export type ProcessEntry = {
  parent: number;
  command: string;
  /**
   * Device and inode, which do not depend on the path. Only known on Linux, and of the processes of
   * another user only with CAP_SYS_PTRACE, which root in a container does not have.
   */
  workingDirectory: { dev: number; ino: number } | undefined;
};

/** Whether a process exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process is running; a zombie, which has no command, is not. */
export async function isRunning(pid: number): Promise<boolean> {
  const entry = await processEntry(pid);
  return entry !== undefined && entry.command !== '';
}

/** The system's information about a process; undefined if it has ended or is hidden from us. */
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
    stat(`/proc/${pid}/cwd`).catch(() => undefined),
  ]);
  // pid (name) state parent …; the name may contain spaces and parentheses.
  const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
  return { parent, command: command.replaceAll('\0', ' '), workingDirectory };
}

async function fromPs(pid: number): Promise<ProcessEntry> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,command=', '-p', String(pid)]);
  const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
  if (parent === undefined || command === undefined) throw new Error('No such process');
  return { parent: Number(parent), command, workingDirectory: undefined };
}
