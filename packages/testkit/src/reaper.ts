// A run may end without a chance to clean up: SIGKILL, or an error that mocha itself throws. A
// small process next to it notices, because its stdin ends, and removes the leftovers.
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

/** What outlives a process that dies suddenly. */
export type Remains = { pid: number; signal: NodeJS.Signals } | { folder: string };
export type ReaperMessage = { entrust: Remains } | { release: Remains };

let reaper: Socket | undefined;

/** Has the remains removed if this process dies before it releases them. */
export function entrust(remains: Remains): void {
  tell({ entrust: remains });
}

export function release(remains: Remains): void {
  tell({ release: remains });
}

function tell(message: ReaperMessage): void {
  reaper ??= startReaper();
  reaper.write(`${JSON.stringify(message)}\n`);
}

function startReaper(): Socket {
  const script = fileURLToPath(new URL('./reaper-process.js', import.meta.url));
  const child = spawn(process.execPath, [script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    detached: true, // not affected by Ctrl-C
  });
  child.unref();
  const stdin = child.stdin as Socket; // a pipe is one
  stdin.unref();
  stdin.on('error', () => undefined); // without it, the run is only less tidy
  return stdin;
}
