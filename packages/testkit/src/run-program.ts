import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { entrust, release } from './reaper.js';
import { forget, stopAtTeardown } from './teardown.js';

export type RunningProgram = {
  child: ChildProcess;
  /** Everything that it has printed so far, on both streams. */
  readonly output: string;
  /**
   * The first matching line, already printed or yet to come; rejects if the program ends without
   * it.
   */
  line(pattern: RegExp): Promise<string>;
  /** The exit code; null if a signal ended it. */
  ended: Promise<number | null>;
  stop(): Promise<void>;
};

/**
 * `input` is all that the program reads; with null, its input stays open for the test to write to.
 */
export type ProgramOptions = { env?: Record<string, string>; cwd?: string; input?: string | null };

/** The file of an app that `npm run build` has bundled. */
export function appProgram(app: string): string {
  return join(import.meta.dirname, '../../../dist', `${app}.js`);
}

/**
 * Runs a node program as a separate process. Of this process's environment, it only gets PATH, HOME
 * and the folder of Node's compile cache.
 */
export function runNode(args: string[], options: ProgramOptions = {}): RunningProgram {
  return runProgram(process.execPath, args, options);
}

/** Runs a program that ends with the run at the latest, however the run ends. */
export function runProgram(
  program: string,
  args: string[],
  { env = {}, cwd, input }: ProgramOptions = {},
): RunningProgram {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, args, {
    ...(cwd !== undefined && { cwd }),
    // Otherwise, Node would measure coverage in children, too, which costs each of them a second.
    env: {
      PATH,
      HOME,
      NODE_V8_COVERAGE: '',
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const waiting = new Set<{ pattern: RegExp; resolve: (line: string) => void }>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const waiter of waiting) if (waiter.pattern.test(line)) waiter.resolve(line);
    });
  child.stdin.on('error', () => undefined);
  if (input !== null) child.stdin.end(input ?? '');
  const remains = { pid: child.pid!, signal: 'SIGKILL' } as const;
  entrust(remains);
  child.once('exit', () => release(remains));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const running: RunningProgram = {
    child,
    get output() {
      return lines.join('\n');
    },
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const printed = lines.find((line) => pattern.test(line));
        if (printed !== undefined) resolve(printed);
        waiting.add({ pattern, resolve });
        void ended.then(() =>
          reject(new Error(`It ended without ${String(pattern)}:\n${lines.join('\n')}`)),
        );
      }),
    ended,
    async stop() {
      forget(running);
      child.kill('SIGKILL');
      await ended;
    },
  };
  stopAtTeardown(running);
  void ended.then(() => forget(running));
  return running;
}
