import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  sql,
  type Transaction,
  type TransactionBuilder,
} from 'kysely';
import pg from 'pg';
import { announcedIn, type Announced } from './announced.js';
import { isDatabaseUnavailable } from './availability.js';
import { connectionLanes, connectionMs, type Lane } from './connection-lanes.js';
import { outliveConnections, withoutStuckConnections } from './pool.js';
import type { Schema } from './schema.js';

/** A transaction that sees one organization's rows only. Repositories take it and name the organization in each query too. */
export type OrganizationScope = { organizationId: string; trx: Transaction<Schema> };

/** A transaction across organizations, for what comes before or stands above them: keys, sweeps, administration. */
export type SystemScope = { trx: Transaction<Schema> };

/** Where transactions are made. One that finds no connection in time fails as if PostgreSQL were away. */
export type Transactor = {
  inOrganization<T>(
    organizationId: string,
    work: (scope: OrganizationScope) => Promise<T>,
  ): Promise<T>;
  /** Reads that all see one moment: a total and the page that is counted off from it agree. */
  inSnapshot<T>(organizationId: string, work: (scope: OrganizationScope) => Promise<T>): Promise<T>;
  asSystem<T>(work: (scope: SystemScope) => Promise<T>): Promise<T>;
};

export type Database = Transactor & {
  /** For work that nobody waits for on a line: it never gets more than half of the connections. */
  readonly background: Transactor;
  /** Has somebody told, after each commit, what it announced; one at most. Nobody waits for the listener, and it must not throw. */
  onAnnounced(listener: (announced: readonly Announced[]) => void): void;
  ping(): Promise<void>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  poolSize?: number;
  applicationName?: string;
  /** How long an answer of PostgreSQL is waited for; it gives up a statement by itself before. */
  queryTimeoutMs?: number;
  onError?: (error: Error) => void;
  /** Told of each transaction; `failed` means that PostgreSQL could not be reached, or not in time. */
  onTransaction?: (seconds: number, failed: boolean) => void;
};

export function connectDatabase(options: DatabaseOptions): Database {
  const { poolSize = 10 } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: poolSize,
    application_name: options.applicationName ?? 'parley',
    connectionTimeoutMillis: connectionMs,
    statement_timeout: 15_000,
    query_timeout: options.queryTimeoutMs ?? 20_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    types: { getTypeParser: parserFor },
  });
  let closing = false;
  outliveConnections(pool, (error) => {
    // One that breaks while all are closed is no news.
    if (!closing) options.onError?.(error);
  });
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: withoutStuckConnections(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  const timed = timer(options.onTransaction);
  const lanes = connectionLanes(poolSize);
  let listener: (announced: readonly Announced[]) => void = () => undefined;
  const told = (announced: readonly Announced[]) => listener(announced);
  return {
    ...transactor(db, (caller, work) => timed(lanes.foreground(caller, work)), told),
    background: transactor(db, (caller, work) => timed(lanes.background(caller, work)), told),
    onAnnounced(told) {
      listener = told;
    },
    async ping() {
      await sql`select 1`.execute(db);
    },
    close() {
      closing = true;
      return db.destroy();
    },
  };
}

type Told = (announced: readonly Announced[]) => void;

function transactor(db: Kysely<Schema>, inTurn: Lane, told: Told): Transactor {
  const within = (organizationId: string) => ({ role: 'parley_app', organizationId, told });
  return {
    inOrganization: (organizationId, work) =>
      inTurn(organizationId, () =>
        transact(db.transaction(), within(organizationId), (trx) => work({ organizationId, trx })),
      ),
    inSnapshot: (organizationId, work) =>
      inTurn(organizationId, () =>
        transact(
          db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only'),
          within(organizationId),
          (trx) => work({ organizationId, trx }),
        ),
      ),
    asSystem: (work) =>
      inTurn('system', () =>
        transact(db.transaction(), { role: 'parley_system', organizationId: '', told }, (trx) =>
          work({ trx }),
        ),
      ),
  };
}

function timer(onTransaction: DatabaseOptions['onTransaction']) {
  return async <T>(transaction: Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    let failed = false;
    try {
      return await transaction;
    } catch (error) {
      failed = isDatabaseUnavailable(error);
      throw error;
    } finally {
      onTransaction?.((performance.now() - startedAt) / 1000, failed);
    }
  };
}

/**
 * The settings end with the transaction, so that a pooled connection never carries one caller's view into the next. The page cost is that of
 * solid-state storage: with PostgreSQL's default for spinning disks, a late page of a list is read by sorting the whole table.
 */
async function transact<T>(
  transaction: TransactionBuilder<Schema>,
  view: { role: string; organizationId: string; told: Told },
  work: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  let announced: readonly Announced[] = [];
  const result = await transaction.execute(async (trx) => {
    await sql`select set_config('role', ${view.role}, true),
                     set_config('parley.organization_id', ${view.organizationId}, true),
                     set_config('random_page_cost', '1.1', true)`.execute(trx);
    const done = await work(trx);
    announced = announcedIn(trx);
    return done;
  });
  if (announced.length > 0) view.told(announced);
  return result;
}

const int8 = 20;

const parserFor: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  // Our counts and sequences stay far below 2^53, and a number is what JSON and arithmetic want.
  oid === int8
    ? Number
    : (pg.types.getTypeParser as (o: number, f?: string) => unknown)(oid, format);
