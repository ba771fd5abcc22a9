import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { RunAs } from './run-as.js';

export type CommandOutcome = { ok: true; stdout: string } | { ok: false; reason: string };

/**
 * Runs a PostgreSQL program to its end, with a clean environment: none of the caller's PG* or LD_*.
 */
export async function runCommand(
  file: string,
  args: string[],
  runAs?: RunAs,
): Promise<CommandOutcome> {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: PROGRAM_ENVIRONMENT,
    cwd: '/',
    ...runAs,
  });
  child.on('error', () => undefined); // the first one is reported below
  try {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return code === 0
      ? { ok: true, stdout }
      : { ok: false, reason: lastWords((stderr || stdout).split('\n')) };
  } catch (error) {
    return { ok: false, reason: (error as Error).message };
  }
}

export const PROGRAM_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

/** The line of a program's output that says why it ended. */
export function lastWords(lines: readonly string[]): string {
  const told = lines.map((line) => line.trim()).filter((line) => line !== '');
  const complaint = told.findLast((line) => /\b(FATAL|PANIC|error)\b/.test(line));
  return complaint ?? told.at(-1) ?? 'it printed nothing';
}
