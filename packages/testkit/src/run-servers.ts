// One PostgreSQL and one Redis serve a whole run. If files run in parallel, mocha's main process
// starts the servers before its workers, and passes their addresses in an environment variable.
// Otherwise, the first test that needs them starts them.
import { randomBytes } from 'node:crypto';
import { migrate } from '@parley/database';
import { bundledBinaries, unprivilegedUser, type PostgresBinaries } from '@parley/embedded';
import { dockerPostgres, dockerRedis } from './docker.js';
import { execute } from './execute.js';
import { localBinaries, startPostgresServer } from './postgres-server.js';
import { findProgram } from './programs.js';
import { startRedisServer } from './redis-server.js';
import { startFirst, type Server } from './server-source.js';
import { stopAtTeardown } from './teardown.js';
import { temporaryFolder } from './temporary-folder.js';
import { withRedis } from './with-redis.js';

export type RunServers = {
  readonly postgres: string;
  /** The name of a database with the current schema, to copy from. */
  readonly template: string;
  /**
   * A URL, or EMBEDDED_REDIS: it has few logical databases, so each file that needs Redis starts
   * its own.
   */
  readonly redis: string;
};

export const EMBEDDED_REDIS = 'embedded:';
const REDIS_DATABASES = 2_000;
const VARIABLE = 'TESTKIT_RUN_SERVERS';

let own: Promise<RunServers> | undefined;

export async function runServers(): Promise<RunServers> {
  const told = process.env[VARIABLE];
  return told === undefined ? (own ??= start()) : (JSON.parse(told) as RunServers);
}

/** For the workers that this process starts from now on. */
export async function shareRunServers(): Promise<void> {
  process.env[VARIABLE] = JSON.stringify(await start());
}

async function start(): Promise<RunServers> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const template = await createTemplate(postgres.url);
  return { postgres: postgres.url, redis: redis.url, template };
}

async function startPostgres(): Promise<Server> {
  const server = await startFirst({
    name: 'PostgreSQL',
    variable: 'TEST_DATABASE_URL',
    sources: { docker: dockerPostgres, local: localPostgres, embedded: embeddedPostgres },
  });
  stopAtTeardown(server);
  return server;
}

async function createTemplate(server: string): Promise<string> {
  const template = `parley_template_${randomBytes(6).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${template}`);
  stopAtTeardown({ stop: () => execute(server, `DROP DATABASE ${template} WITH (FORCE)`) });
  const url = new URL(server);
  url.pathname = `/${template}`;
  await migrate(url.href);
  return template;
}

async function localPostgres(): Promise<Server | undefined> {
  const binaries = await localBinaries();
  return binaries && serve(binaries, 'local postgres');
}

async function embeddedPostgres(): Promise<Server> {
  const [base, runAs] = [await temporaryFolder(), await unprivilegedUser()];
  return serve(await bundledBinaries({ base, runAs }), 'the embedded PostgreSQL');
}

async function serve(binaries: PostgresBinaries, kind: string): Promise<Server> {
  const server = await startPostgresServer(binaries, { trusting: true });
  return {
    url: server.url,
    stop: () => server.stop(),
    from: `${kind} ${binaries.version} (${binaries.binDir})`,
  };
}

async function startRedis(): Promise<Server> {
  const server = await startFirst({
    name: 'Redis',
    variable: 'TEST_REDIS_URL',
    sources: {
      docker: () => dockerRedis(REDIS_DATABASES),
      local: localRedis,
      embedded: () =>
        Promise.resolve({
          url: EMBEDDED_REDIS,
          from: 'the embedded Valkey',
          stop: () => Promise.resolve(),
        }),
    },
  });
  stopAtTeardown(server);
  return server;
}

async function localRedis(): Promise<Server | undefined> {
  const program = findProgram('redis-server');
  if (program === undefined) return undefined;
  const server = await startRedisServer({ args: ['--databases', String(REDIS_DATABASES)] });
  const version = await withRedis(server.url, (client) => client.info('server'));
  const number = /redis_version:(\S+)/.exec(version)?.[1] ?? 'of unknown version';
  return {
    url: server.url,
    stop: () => server.stop(),
    from: `local redis-server ${number} (${program})`,
  };
}
