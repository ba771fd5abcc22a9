import { randomBytes } from 'node:crypto';
import { connectDatabase, type Database } from '@parley/database';
import { execute } from './execute.js';
import { runServers } from './run-servers.js';
import { forget, stopAtTeardown } from './teardown.js';

export type TestDatabase = {
  readonly url: string;
  drop(): Promise<void>;
};

export type MigratedDatabase = { url: string; database: Database; drop(): Promise<void> };

/** A new, empty database on the PostgreSQL of the run. */
export function testDatabase(): Promise<TestDatabase> {
  return create('');
}

/** A fresh database with the current schema, and a connection to it. */
export async function migratedDatabase(): Promise<MigratedDatabase> {
  const { template } = await runServers();
  const copy = await create(`TEMPLATE ${template}`);
  const database = connectDatabase({ url: copy.url, applicationName: 'parley-test' });
  return {
    url: copy.url,
    database,
    async drop() {
      await database.close();
      await copy.drop();
    },
  };
}

async function create(from: string): Promise<TestDatabase> {
  const { postgres } = await runServers();
  const name = `parley_test_${randomBytes(6).toString('hex')}`;
  await execute(postgres, `CREATE DATABASE ${name} ${from}`);
  const url = new URL(postgres);
  url.pathname = `/${name}`;
  const database = {
    url: url.href,
    drop: async () => {
      await execute(postgres, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      forget(resource);
    },
  };
  const resource = { stop: database.drop };
  stopAtTeardown(resource);
  return database;
}
