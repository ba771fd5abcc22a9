import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@parley/embedded';
import { Redis } from 'ioredis';
import type { KillableServer } from './killable-server.js';
import { findProgram } from './programs.js';
import { entrust, release } from './reaper.js';
import { guardArguments, guardedUrl, trusting, type RedisGuard } from './redis-guard.js';
import { forget, stopAtTeardown } from './teardown.js';
import { temporaryFolder } from './temporary-folder.js';
import { waitFor } from './wait-for.js';

export type RedisServerOptions = RedisGuard & {
  /**
   * Added to the command line, such as ['--appendonly', 'yes']; a function is called for each
   * attempt.
   */
  args?: readonly string[] | (() => Promise<readonly string[]>);
  /** The content of its configuration file, which it may rewrite. */
  config?: string;
};

/** Another process may take a free port before the server binds it. */
const ATTEMPTS = 3;

/**
 * Starts a redis-server that does not persist anything unless args say so. Suites that call this
 * must call needs('redis-server').
 */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<KillableServer> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await startOnce(options);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
}

async function startOnce(options: RedisServerOptions): Promise<KillableServer> {
  const { args = [], config } = options;
  const program = findProgram('redis-server');
  if (program === undefined) throw new Error('redis-server is not installed');
  const [port, folder] = [await freePort(), await temporaryFolder()];
  const file = join(folder, 'redis.conf');
  if (config !== undefined) await writeFile(file, config);
  const from = config === undefined ? [] : [file];
  const base = [...guardArguments(options, port), '--bind', '127.0.0.1', '--dir', folder];
  const quiet = ['--save', '', '--appendonly', 'no', '--loglevel', 'warning'];
  const more = typeof args === 'function' ? await args() : args;
  const url = guardedUrl(options, port);
  const launch = async () => {
    const all = [...from, ...base, ...quiet, ...more];
    const child = spawn(program, all, { stdio: 'ignore', detached: true });
    entrustProcess(child);
    await answers(url, child);
    return child;
  };
  let child = await launch();
  const server: KillableServer = {
    url,
    port,
    get pid() {
      return child.pid!;
    },
    kill: (signal = 'SIGKILL') => signalProcess(child, signal),
    restart: async () => {
      await signalProcess(child, 'SIGKILL');
      child = await launch();
    },
    stop: async () => {
      await signalProcess(child, 'SIGKILL');
      forget(server);
    },
  };
  stopAtTeardown(server);
  return server;
}

async function signalProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await gone;
}

function entrustProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const remains = { pid: child.pid, signal: 'SIGKILL' } as const;
  entrust(remains);
  child.once('exit', () => release(remains));
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const client = new Redis(url, { ...trusting(url), lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined); // the command reports it
  const pings = async () => {
    if (child.exitCode !== null)
      throw new Error(`redis-server ended with code ${child.exitCode} while it was starting`);
    try {
      await client.connect();
      // Another server may have bound the port first.
      return (await client.info('server')).includes(`process_id:${child.pid}\r\n`);
    } catch {
      return false;
    }
  };
  try {
    await waitFor(pings, { what: `${url} to answer` });
  } finally {
    client.disconnect();
  }
}
