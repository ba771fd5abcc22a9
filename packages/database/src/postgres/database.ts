import { sql, type Transaction, type TransactionSettings } from 'kysely';
import pg from 'pg';
import { announcedIn, type Announced } from '../webhooks/announced.js';
import { isDatabaseUnavailable } from './availability.js';
import { connectionLanes, connectionMs, type Lane } from './connection-lanes.js';
import { FreeConnections } from './free-connections.js';
import { migrations } from './migrations.js';
import { PipelinedDriver } from './pipelined-driver.js';
import { outliveConnections } from './pool.js';
import { prepare, raw, type Prepared } from './prepared.js';
import type { Statement } from './round-trip.js';
import type { Schema } from './schema.js';
import { isSchemaBehind, SchemaBehind } from './schema-behind.js';
import { transactionOn } from './transaction.js';

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
  /** Throws SchemaBehind until the migrations of this version are applied. */
  checkSchema(): Promise<void>;
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
    // Less than a statement may take: whoever waits for what a stalled or unreachable process has
    // locked gets it.
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
  });
  let closing = false;
  const onIdle = (error: Error) => {
    // A connection that breaks while the pool closes is not worth reporting.
    if (!closing) options.onError?.(error);
  };
  outliveConnections(pool, onIdle);
  const free = new FreeConnections(pool, onIdle);
  const driver = new PipelinedDriver(pool, free);
  const lanes = connectionLanes(poolSize);
  let listener: (announced: readonly Announced[]) => void = () => undefined;
  const told = (announced: readonly Announced[]) => listener(announced);
  const transactorOf = (lane: Lane) => transactor(driver, timed(lane, options.onTransaction), told);
  return {
    ...transactorOf(lanes.foreground),
    background: transactorOf(lanes.background),
    onAnnounced(told) {
      listener = told;
    },
    async ping() {
      await readOn(driver, [{ text: 'select 1', values: [] }]);
    },
    async checkSchema() {
      const text = 'select name from kysely_migration';
      const rows = await readOn(driver, [{ text, values: [] }]).catch(noneIfBehind);
      const applied = new Set(rows.map(({ name }) => name));
      const missing = Object.keys(migrations).filter((name) => !applied.has(name));
      if (missing.length > 0) throw new SchemaBehind(missing);
    },
    close() {
      closing = true;
      return free.end();
    },
  };
}

type Told = (announced: readonly Announced[]) => void;

function transactor(driver: PipelinedDriver, inTurn: Lane, told: Told): Transactor {
  const inOrganization =
    (settings: TransactionSettings): Transactor['inOrganization'] =>
    (organizationId, work) =>
      inTurn(organizationId, () =>
        transact(driver, { settings, view: within(organizationId), told }, (trx) =>
          work({ organizationId, trx }),
        ),
      );
  return {
    inOrganization: inOrganization({}),
    inSnapshot: inOrganization({ isolationLevel: 'repeatable read', accessMode: 'read only' }),
    asSystem: (work) =>
      inTurn('system', () =>
        transact(driver, { settings: {}, view: acrossAll, told }, (trx) => work({ trx })),
      ),
    read: <Parameters, Row>(
      organizationId: string | null,
      query: Prepared<Parameters, Row>,
      parameters: Parameters,
    ) =>
      inTurn(organizationId ?? 'system', () => {
        const view = organizationId === null ? acrossAll : within(organizationId);
        return readOn(driver, [enter.with(view), query.with(parameters)]) as Promise<Row[]>;
      }),
  };
}

async function readOn(
  driver: PipelinedDriver,
  statements: readonly Statement[],
): Promise<Record<string, unknown>[]> {
  const acquired = driver.acquireConnection();
  const connection = acquired instanceof Promise ? await acquired : acquired;
  try {
    return await connection.once(statements);
  } finally {
    connection.release();
  }
}

function noneIfBehind(error: unknown): [] {
  if (isSchemaBehind(error)) return [];
  throw error;
}

type View = { role: string; organizationId: string };

const acrossAll: View = { role: 'parley_system', organizationId: '' };

function within(organizationId: string): View {
  return { role: 'parley_app', organizationId };
}

function timed(lane: Lane, onTransaction: DatabaseOptions['onTransaction']): Lane {
  return (caller, transaction) => {
    const startedAt = performance.now();
    const ended = (failed: boolean) =>
      onTransaction?.((performance.now() - startedAt) / 1000, failed);
    return lane(caller, transaction).then(
      (result) => {
        ended(false);
        return result;
      },
      (error: unknown) => {
        ended(isDatabaseUnavailable(error));
        throw error;
      },
    );
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

type Beginning = { settings: TransactionSettings; view: View; told: Told };

async function transact<T>(
  driver: PipelinedDriver,
  { settings, view, told }: Beginning,
  work: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  const connection = await driver.acquireConnection();
  const trx = transactionOn(connection);
  let result: T;
  try {
    connection.begin(settings, enter.with(view));
    result = await work(trx);
    await connection.commit();
  } catch (error) {
    await connection.rollback();
    throw error;
  } finally {
    connection.release();
  }
  const announced = announcedIn(trx);
  if (announced.length > 0) told(announced);
  return result;
}
