import { Kysely, sql, type Transaction, type TransactionBuilder } from 'kysely';
import pg from 'pg';
import { announcedIn, type Announced } from '../webhooks/announced.js';
import { isDatabaseUnavailable } from './availability.js';
import { connectionLanes, connectionMs, type Lane } from './connection-lanes.js';
import { PipelinedDriver, pipelinedDialect } from './pipelined-driver.js';
import { plugins } from './plugins.js';
import { outliveConnections } from './pool.js';
import { prepare, raw, type Prepared } from './prepared.js';
import type { Schema } from './schema.js';

/**
 * A transaction that only sees one organization's rows. Repositories take it, and also name the
 * organization in each query.
 */
export type OrganizationScope = { organizationId: string; trx: Transaction<Schema> };

/**
 * A transaction across organizations, for what precedes them or is above them: keys, sweeps,
 * administration.
 */
export type SystemScope = { trx: Transaction<Schema> };

/** Creates transactions. If one gets no connection in time, it fails as if PostgreSQL were down. */
export type Transactor = {
  inOrganization<T>(
    organizationId: string,
    work: (scope: OrganizationScope) => Promise<T>,
  ): Promise<T>;
  /**
   * All reads see the same moment, so that a total agrees with the page that is counted from it.
   */
  inSnapshot<T>(organizationId: string, work: (scope: OrganizationScope) => Promise<T>): Promise<T>;
  asSystem<T>(work: (scope: SystemScope) => Promise<T>): Promise<T>;
  /**
   * Runs one query as a separate transaction in one round trip, in an organization or across all.
   */
  read<Parameters, Row>(
    organizationId: string | null,
    query: Prepared<Parameters, Row>,
    parameters: Parameters,
  ): Promise<Row[]>;
};

export type Database = Transactor & {
  /** For work that no caller waits for: it never gets more than half of the connections. */
  readonly background: Transactor;
  /**
   * Sets the one listener, which receives what each commit announced. Nobody waits for it, and it
   * must not throw.
   */
  onAnnounced(listener: (announced: readonly Announced[]) => void): void;
  ping(): Promise<void>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  poolSize?: number;
  applicationName?: string;
  /** How long to wait for a response; PostgreSQL cancels a statement slightly earlier. */
  queryTimeoutMs?: number;
  onError?: (error: Error) => void;
  /**
   * Called for each transaction; `failed` means that PostgreSQL could not be reached, or not in
   * time.
   */
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
  });
  let closing = false;
  outliveConnections(pool, (error) => {
    // A connection that breaks while the pool closes is not worth reporting.
    if (!closing) options.onError?.(error);
  });
  const driver = new PipelinedDriver(pool);
  const db = new Kysely<Schema>({ dialect: pipelinedDialect(driver), plugins });
  const timed = timer(options.onTransaction);
  const lanes = connectionLanes(poolSize);
  let listener: (announced: readonly Announced[]) => void = () => undefined;
  const told = (announced: readonly Announced[]) => listener(announced);
  return {
    ...transactor({ db, driver }, (caller, work) => timed(lanes.foreground(caller, work)), told),
    background: transactor(
      { db, driver },
      (caller, work) => timed(lanes.background(caller, work)),
      told,
    ),
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

type Connected = { readonly db: Kysely<Schema>; readonly driver: PipelinedDriver };

function transactor({ db, driver }: Connected, inTurn: Lane, told: Told): Transactor {
  return {
    inOrganization: (organizationId, work) =>
      inTurn(organizationId, () =>
        transact(db.transaction(), { view: within(organizationId), told }, (trx) =>
          work({ organizationId, trx }),
        ),
      ),
    inSnapshot: (organizationId, work) =>
      inTurn(organizationId, () =>
        transact(
          db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only'),
          { view: within(organizationId), told },
          (trx) => work({ organizationId, trx }),
        ),
      ),
    asSystem: (work) =>
      inTurn('system', () =>
        transact(db.transaction(), { view: acrossAll, told }, (trx) => work({ trx })),
      ),
    read: (organizationId, query, parameters) =>
      inTurn(organizationId ?? 'system', async () => {
        const view = organizationId === null ? acrossAll : within(organizationId);
        const connection = await driver.acquireConnection();
        try {
          const rows = await connection.once([enter.with(view), query.with(parameters)]);
          return rows as never;
        } finally {
          connection.release();
        }
      }),
  };
}

type View = { role: string; organizationId: string };

const acrossAll: View = { role: 'parley_system', organizationId: '' };

function within(organizationId: string): View {
  return { role: 'parley_app', organizationId };
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
 * The settings end with the transaction, so that a pooled connection never carries one caller's
 * view over to the next. The page cost is that of solid-state storage: with PostgreSQL's default
 * for spinning disks, reading a late page of a list sorts the whole table.
 */
const enter = prepare<View>()('enter', (db, { role, organizationId }) =>
  raw(sql`select set_config('role', ${role}, true),
                 set_config('parley.organization_id', ${organizationId}, true),
                 set_config('random_page_cost', '1.1', true)`)(db),
);

async function transact<T>(
  transaction: TransactionBuilder<Schema>,
  { view, told }: { view: View; told: Told },
  work: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  let announced: readonly Announced[] = [];
  const result = await transaction.execute(async (trx) => {
    await enter.first(trx, view);
    const done = await work(trx);
    announced = announcedIn(trx);
    return done;
  });
  if (announced.length > 0) told(announced);
  return result;
}
