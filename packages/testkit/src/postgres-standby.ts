import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, unprivilegedUser } from '@parley/embedded';
import { Client } from 'pg';
import type { KillableServer } from './killable-server.js';
import { entrust, release } from './reaper.js';
import { forget, stopAtTeardown } from './teardown.js';
import { temporaryFolder } from './temporary-folder.js';
import { waitFor } from './wait-for.js';

/** A copy of a PostgreSQL server that follows it, and can take its place. */
export type PostgresStandby = {
  readonly url: string;
  /** Makes it a server of its own. Resolves when it accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Follows a server of startPostgresServer() that runs on local binaries. From then on, that server
 * commits nothing that the standby does not have. Suites that call this must call
 * needs('postgres').
 */
export async function startPostgresStandby(primary: KillableServer): Promise<PostgresStandby> {
  const [port, folder, runAs] = [
    await freePort(),
    await temporaryFolder(),
    await unprivilegedUser(),
  ];
  const directory = join(folder, 'standby');
  await mkdir(directory, { mode: 0o700 });
  if (runAs !== undefined) await chown(directory, runAs.uid, runAs.gid);
  const [row] = await query<{ setting: string }>(
    primary.url,
    `select setting from pg_config where name = 'BINDIR'`,
  );
  const binaries = row!.setting;
  const copy = ['--pgdata', directory, '--dbname', primary.url, '-R', '-X', 'stream', '-c', 'fast'];
  await promisify(execFile)(join(binaries, 'pg_basebackup'), copy, { ...runAs, cwd: '/' });
  const args = ['-D', directory, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
  const quiet = ['-c', 'unix_socket_directories=', '-c', 'fsync=off', '-c', 'max_connections=300'];
  const child = spawn(join(binaries, 'postgres'), [...args, ...quiet], {
    ...{ ...runAs, cwd: '/', stdio: 'ignore', detached: true },
  });
  const remains = { pid: child.pid!, signal: 'SIGQUIT' } as const;
  entrust(remains);
  child.once('exit', () => release(remains));
  const url = new URL(primary.url);
  url.port = String(port);
  const standby: PostgresStandby = {
    url: url.href,
    async promote() {
      await query(url.href, 'select pg_promote()');
      await waitFor(() => accepts(url.href, `select not pg_is_in_recovery() as ok`), {
        what: 'the standby to accept writes',
      });
    },
    async stop() {
      forget(standby);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGQUIT');
      await gone;
    },
  };
  stopAtTeardown(standby);
  const isStreaming = `select count(*) > 0 as ok from pg_stat_replication where state = 'streaming'`;
  await waitFor(() => accepts(primary.url, isStreaming), { what: 'the standby to follow' });
  await query(primary.url, `alter system set synchronous_standby_names = '*'`);
  await query(primary.url, 'select pg_reload_conf()');
  const isSynchronous = `select count(*) > 0 as ok from pg_stat_replication where sync_state = 'sync'`;
  await waitFor(() => accepts(primary.url, isSynchronous), {
    what: 'the standby to be waited for',
  });
  return standby;
}

async function accepts(url: string, question: string): Promise<boolean> {
  const rows = await query<{ ok: boolean }>(url, question).catch(() => []);
  return rows[0]?.ok === true;
}

async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // the query reports it
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}
