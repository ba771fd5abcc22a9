import {
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  Transaction,
  type Dialect,
} from 'kysely';
import type { PipelinedConnection } from './pipelined-driver.js';
import { plugins } from './plugins.js';
import type { Schema } from './schema.js';

const driver = new DummyDriver();
const [adapter, compiler] = [new PostgresAdapter(), new PostgresQueryCompiler()];
const dialect: Dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createQueryCompiler: () => compiler,
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
};
const config = { dialect, plugins };

/** Builds and compiles queries, and executes none. */
export const writer = new Kysely<Schema>(config);

const connections = new WeakMap<Transaction<Schema>, PipelinedConnection>();

/** What queries of the connection's transaction are built and executed with. */
export function transactionOn(connection: PipelinedConnection): Transaction<Schema> {
  const provider = {
    provideConnection: <T>(consumer: (own: PipelinedConnection) => Promise<T>) =>
      consumer(connection),
  };
  const executor = new DefaultQueryExecutor(compiler, adapter, provider, plugins);
  const trx = new Transaction<Schema>({ config, dialect, driver, executor });
  connections.set(trx, connection);
  return trx;
}

export function connectionOf(trx: Transaction<Schema>): PipelinedConnection {
  const connection = connections.get(trx);
  if (!connection) throw new TypeError('This transaction has no connection of its own.');
  return connection;
}
