import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import type { RunAs } from './run-as.js';
import { PROGRAM_ENVIRONMENT, lastWords } from './run-command.js';

export type PostmasterOptions = {
  binDir: string;
  directory: string;
  port: number;
  settings?: Readonly<Record<string, string | number>>;
  runAs?: RunAs | undefined;
  onLog?: ((line: string) => void) | undefined;
};

/** A PostgreSQL server process that this process started. */
export type Postmaster = {
  readonly pid: number;
  /** Resolves with the reason when the process has exited, intentionally or not. */
  readonly exited: Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Stops it: fast shutdown, then immediate, then SIGKILL. Idempotent. */
  stop(): Promise<void>;
};

export type StartFault = 'in use' | 'lock unclear' | 'port taken' | 'memory in use' | 'other';

export class PostmasterStartError extends Error {
  override readonly name = 'PostmasterStartError';
  constructor(
    message: string,
    readonly fault: StartFault,
  ) {
    super(message);
  }
}

const READY = 'database system is ready to accept connections';
const FAULTS: readonly (readonly [RegExp, StartFault])[] = [
  [/lock file "postmaster.pid" already exists/, 'in use'],
  [/lock file "postmaster.pid" is empty/, 'lock unclear'],
  [/could not bind|could not create any TCP\/IP sockets/, 'port taken'],
  [/pre-existing shared memory block/, 'memory in use'],
];
const LEAVING_ATTEMPTS = 25;
const LEAVING_DELAY_MS = 200;
const ENDINGS = [
  { signal: 'SIGINT', patienceMs: 15_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
] as const;

/** Starts a server on an existing data directory; resolves when it accepts connections. */
export async function spawnPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await spawnOnce(options);
    } catch (error) {
      // The processes of a killed server are still exiting.
      const leaving = error instanceof PostmasterStartError && error.fault === 'memory in use';
      if (!leaving || attempt === LEAVING_ATTEMPTS) throw error;
      await delay(LEAVING_DELAY_MS);
    }
  }
}

async function spawnOnce(options: PostmasterOptions): Promise<Postmaster> {
  const child = spawn(join(options.binDir, 'postgres'), postmasterArguments(options), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: PROGRAM_ENVIRONMENT,
    cwd: '/',
    // In its own session: Ctrl-C in the terminal is for Parley, which stops PostgreSQL last.
    detached: true,
    ...options.runAs,
  });
  const atExit = () => child.kill('SIGINT');
  process.once('exit', atExit);
  const lines: string[] = [];
  const exited = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.once('close', () => resolve(lastWords(lines)));
  });
  void exited.then(() => process.off('exit', atExit));
  const ready = new Promise<true>((resolve) => {
    const output = createInterface({ input: child.stderr });
    output.on('error', () => undefined); // the process's exit reports it
    output.on('line', (line) => {
      if (lines.push(line) > 50) lines.shift();
      options.onLog?.(line);
      if (line.includes(READY)) resolve(true);
    });
  });
  const outcome = await Promise.race([ready, exited]);
  if (outcome === true && child.pid !== undefined) return supervise(child, child.pid, exited);
  const output = lines.join('\n');
  const fault = FAULTS.find(([pattern]) => pattern.test(output))?.[1] ?? 'other';
  throw new PostmasterStartError(String(outcome), fault);
}

function postmasterArguments({ directory, port, settings }: PostmasterOptions): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    log_line_prefix: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Read back by findPostmaster() to tell an orphan from a server in use.
    'parley.owner': process.pid,
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', directory, '-p', String(port), ...flags];
}

function supervise(child: ChildProcess, pid: number, exited: Promise<string>): Postmaster {
  let stopping: Promise<void> | undefined;
  const end = async () => {
    for (const { signal, patienceMs } of ENDINGS) {
      child.kill(signal);
      const gone = exited.then(() => true);
      if (await pTimeout(gone, { milliseconds: patienceMs, fallback: () => false })) return;
    }
    throw new Error(`PostgreSQL (pid ${pid}) does not stop`);
  };
  return {
    pid,
    exited,
    kill: (signal) => void child.kill(signal),
    stop: () => (stopping ??= end()),
  };
}
