import { AsyncResource } from 'node:async_hooks';
import type { CompiledQuery, DatabaseConnection, QueryResult, TransactionSettings } from 'kysely';
import type pg from 'pg';
import type { FreeConnections } from './free-connections.js';
import { RoundTrip, type Outcome, type Statement } from './round-trip.js';

/**
 * PostgreSQL does not know a prepared statement, or knows another one by that name: a proxy has
 * switched the server behind the connection.
 */
const forgotten = new Set<unknown>(['26000', '42P05']);
/** The message of pg's error. */
const timeout = 'Query read timeout';

/**
 * A connection, from when it is acquired until it is released. Sends the statements that begin and
 * end a transaction together with their neighbours, so that a transaction takes only as many round
 * trips as its work waits for responses. A connection is reused only if it is known to be outside
 * any transaction: otherwise, what it left open would be committed with the work of its next user.
 */
export class PipelinedConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #keep: (client: pg.PoolClient) => void;
  /** Sent before everything else, if the transaction takes more than one round trip. */
  #begin: Statement | undefined;
  /** The settings of the transaction, and the changes to make in it, before the next statement. */
  #waiting: Statement[] = [];
  /** Whether changes are among them. */
  #changes = false;
  /** Whether the transaction has started in PostgreSQL. */
  #begun = false;
  #stuck = false;
  #forgetful = false;
  #released = false;
  /** What was asked last, until it is answered: pg will stop queueing what is asked meanwhile. */
  #underWay: Promise<Outcome> | undefined;

  constructor(client: pg.PoolClient, keep: (client: pg.PoolClient) => void) {
    this.#client = client;
    this.#keep = keep;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, command, count } = await this.run({ text: sql, values: parameters });
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

  /** The settings are sent with the first statement, if there is one. */
  begin({ isolationLevel, accessMode }: TransactionSettings, settings: Statement): void {
    const words = [plainBegin, isolationLevel && `isolation level ${isolationLevel}`, accessMode];
    this.#begin = fixed(words.filter(Boolean).join(' '));
    this.#waiting = [settings];
    this.#changes = false;
  }

  run(statement: Statement): Promise<Outcome> {
    const statements = [...this.#waiting, statement];
    if (!this.#begun && this.#begin) statements.unshift(this.#begin);
    this.#waiting = [];
    this.#changes = false;
    this.#begun = true;
    return this.#ask(statements);
  }

  /**
   * Sent with the next statement of the transaction, or with the commit at the latest. If it fails,
   * so does what it is sent with.
   */
  later(change: Statement): void {
    this.#waiting.push(change);
    this.#changes = true;
  }

  async commit(): Promise<void> {
    if (!this.#begun && !this.#changes) return;
    // What is sent together is a transaction of its own, which is committed unless it fails.
    if (!this.#begun && this.#begin?.text === plainBegin) {
      await this.#ask(this.#waiting);
      return;
    }
    const { command } = await this.run(fixed('commit'));
    this.#begun = false;
    if (command !== 'COMMIT')
      throw new Error('A statement of the transaction had failed, so PostgreSQL undid it.');
  }

  async rollback(): Promise<void> {
    if (!this.#begun) return;
    this.#waiting = [];
    this.#begun = false;
    await this.#ask([fixed('rollback')]);
  }

  release(): void {
    this.#released = true;
    const isClean = this.#client.getTransactionStatus() === 'I';
    if (this.#stuck || this.#forgetful || !isClean) this.#client.release(true);
    else this.#keep(this.#client);
  }

  /**
   * A query that times out leaves its connection in an unknown state: the statement may still be
   * executed. So the connection gets no more queries, and is closed instead of reused; PostgreSQL
   * then rolls back what was begun.
   */
  async #ask(statements: readonly Statement[]): Promise<Outcome> {
    while (this.#underWay) await this.#underWay.catch(() => undefined);
    // The connection may already work for another organization.
    if (this.#released) throw new Error('The transaction is over.');
    if (this.#stuck) throw new Error(timeout);
    try {
      this.#underWay = new Promise((resolve, reject) => {
        this.#client.query(new RoundTrip(statements, { resolve, reject }));
      });
      return await this.#underWay;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#stuck ||= error.message === timeout;
      this.#forgetful ||= forgotten.has((error as { code?: unknown }).code);
      // Replaces the stack trace to the socket with one to the caller.
      Error.captureStackTrace(error);
      throw error;
    } finally {
      this.#underWay = undefined;
    }
  }
}

const plainBegin = 'begin';
const changes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

function fixed(text: string): Statement {
  return { text, values: [], name: text };
}

export class PipelinedDriver {
  readonly #pool: pg.Pool;
  readonly #free: FreeConnections | undefined;
  readonly #keep: (client: pg.PoolClient) => void;
  /**
   * A connection outlives the request that first needs it, so it is not attributed to that request.
   */
  readonly #shared = new AsyncResource('parley.pool');

  constructor(pool: pg.Pool, free?: FreeConnections) {
    this.#pool = pool;
    this.#free = free;
    this.#keep = (client) => (free ? free.keep(client) : client.release());
  }

  acquireConnection(): PipelinedConnection | Promise<PipelinedConnection> {
    const client = this.#free?.take();
    return client ? new PipelinedConnection(client, this.#keep) : this.#connect();
  }

  async #connect(): Promise<PipelinedConnection> {
    const client = await this.#shared.runInAsyncScope(() => this.#pool.connect());
    return new PipelinedConnection(client, this.#keep);
  }
}
