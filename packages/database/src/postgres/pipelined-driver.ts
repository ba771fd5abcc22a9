import { AsyncResource } from 'node:async_hooks';
import {
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import { RoundTrip, type Outcome, type Statement } from './round-trip.js';

/** How a compiled query is sent, beyond what Kysely knows. */
export const sending = Symbol('sending');
export type Sent = CompiledQuery & {
  readonly [sending]?: {
    /** The name of a statement that PostgreSQL keeps. */
    readonly name?: string;
    /**
     * Sent with the next statement of its transaction: a setting only if there is one, a change
     * with the commit at the latest. If it fails, so does what it is sent with.
     */
    readonly later?: 'setting' | 'change';
  };
};

/**
 * PostgreSQL does not know a prepared statement, or knows another one by that name: a proxy has
 * switched the server behind the connection.
 */
const forgotten = new Set<unknown>(['26000', '42P05']);
/** The message of pg's error. */
const timeout = 'Query read timeout';

/**
 * Sends the statements that begin and end a transaction together with their neighbours, so that a
 * transaction takes only as many round trips as its work waits for responses. A connection returns
 * to its pool only if it is known to be outside any transaction: otherwise, what it left open would
 * be committed with the work of its next user.
 */
export class PipelinedConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  /** What begins the transaction, and the changes to make in it, before the next statement. */
  #waiting: Record<'setting' | 'change', Statement[]> = { setting: [], change: [] };
  /** Whether the transaction has started in PostgreSQL. */
  #begun = false;
  #stuck = false;
  #forgetful = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async executeQuery<Row>(query: Sent): Promise<QueryResult<Row>> {
    const statement = statementOf(query);
    const later = query[sending]?.later;
    if (later !== undefined) {
      this.#waiting[later].push(statement);
      return { rows: [] };
    }
    const { rows, command, count } = await this.#send(statement);
    return {
      rows: rows as Row[],
      ...(changes.has(command) && { numAffectedRows: BigInt(count) }),
    };
  }

  streamQuery(): never {
    throw new Error('Nothing here reads with cursors.');
  }

  /**
   * Runs the statements in one transaction, which ends with them. Returns the result of the last
   * one.
   */
  async once(statements: readonly Statement[]): Promise<Record<string, unknown>[]> {
    return (await this.#ask(statements)).rows;
  }

  begin({ isolationLevel, accessMode }: TransactionSettings): void {
    const words = ['begin', isolationLevel && `isolation level ${isolationLevel}`, accessMode];
    this.#waiting = { setting: [fixed(words.filter(Boolean).join(' '))], change: [] };
  }

  async commit(): Promise<void> {
    if (!this.#begun && this.#waiting.change.length === 0) return;
    const { command } = await this.#send(fixed('commit'));
    this.#begun = false;
    if (command !== 'COMMIT')
      throw new Error('A statement of the transaction had failed, so PostgreSQL undid it.');
  }

  async rollback(): Promise<void> {
    if (!this.#begun) return;
    this.#waiting.change = [];
    this.#begun = false;
    await this.#ask([fixed('rollback')]);
  }

  release(): void {
    const isClean = this.#client.getTransactionStatus() === 'I';
    this.#client.release(this.#stuck || this.#forgetful || !isClean);
  }

  #send(statement: Statement): Promise<Outcome> {
    const statements = [...this.#waiting.setting, ...this.#waiting.change, statement];
    this.#waiting = { setting: [], change: [] };
    this.#begun = true;
    return this.#ask(statements);
  }

  /**
   * A query that times out leaves its connection in an unknown state: the statement may still be
   * executed. So the connection gets no more queries, and is closed instead of reused; PostgreSQL
   * then rolls back what was begun.
   */
  async #ask(statements: readonly Statement[]): Promise<Outcome> {
    if (this.#stuck) throw new Error(timeout);
    try {
      return await new Promise((resolve, reject) => {
        this.#client.query(new RoundTrip(statements, { resolve, reject }));
      });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#stuck ||= error.message === timeout;
      this.#forgetful ||= forgotten.has((error as { code?: unknown }).code);
      // Replaces the stack trace to the socket with one to the caller.
      Error.captureStackTrace(error);
      throw error;
    }
  }
}

const changes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

function fixed(text: string): Statement {
  return { text, values: [], name: text };
}

function statementOf({ sql, parameters, [sending]: { name } = {} }: Sent): Statement {
  return { text: sql, values: parameters, name };
}

export class PipelinedDriver implements Driver {
  readonly #pool: pg.Pool;
  /**
   * A connection outlives the request that first needs it, so it is not attributed to that request.
   */
  readonly #shared = new AsyncResource('parley.pool');

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {
    // The pool connects on demand.
  }

  async acquireConnection(): Promise<PipelinedConnection> {
    return new PipelinedConnection(await this.#shared.runInAsyncScope(() => this.#pool.connect()));
  }

  beginTransaction(connection: PipelinedConnection, settings: TransactionSettings): Promise<void> {
    connection.begin(settings);
    return Promise.resolve();
  }

  commitTransaction(connection: PipelinedConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: PipelinedConnection): Promise<void> {
    return connection.rollback();
  }

  releaseConnection(connection: PipelinedConnection): Promise<void> {
    connection.release();
    return Promise.resolve();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

export function pipelinedDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  };
}
