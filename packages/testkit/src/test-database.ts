import { randomBytes } from 'node:crypto';
import { bundledBinaries, unprivilegedUser, type PostgresBinaries } from '@parley/embedded';
import { Client } from 'pg';
import { dockerPostgres } from './docker.js';
import { localBinaries, startPostgresServer } from './postgres-server.js';
import { startFirst, type Server } from './server-source.js';
import { forget, stopAtTeardown } from './teardown.js';
import { temporaryFolder } from './temporary-folder.js';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

let shared: Promise<Server> | undefined;

/** A new, empty database on the run's one PostgreSQL. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await (shared ??= startShared());
  const name = `parley_test_${randomBytes(6).toString('hex')}`;
  await execute(server.url, `CREATE DATABASE ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const database = {
    url: url.href,
    drop: async () => {
      await execute(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      forget(resource);
    },
  };
  const resource = { stop: database.drop };
  if (server.external) stopAtTeardown(resource);
  return database;
}

function startShared(): Promise<Server> {
  return startFirst({
    name: 'PostgreSQL',
    variable: 'TEST_DATABASE_URL',
    sources: { docker: dockerPostgres, local: localPostgres, embedded: embeddedPostgres },
  });
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
  const server = await startPostgresServer(binaries);
  return {
    url: server.url,
    stop: () => server.stop(),
    from: `${kind} ${binaries.version} (${binaries.binDir})`,
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
