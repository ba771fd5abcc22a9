import { AsyncResource } from 'node:async_hooks';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';

/**
 * A query that runs into its timeout leaves its connection in an unknown state: the statement may still be carried out, in a transaction that
 * nobody ends and that whoever has the connection next would commit. So the connection is asked nothing more, and closed instead of being used
 * again; PostgreSQL then undoes what was begun.
 */
export function withoutStuckConnections(pool: pg.Pool): PostgresPool {
  // A connection outlives the request that it is first made for, and is not at its cost.
  const shared = new AsyncResource('parley.pool');
  return {
    connect: async () => guarded(await shared.runInAsyncScope(() => pool.connect())),
    end: () => pool.end(),
  };
}

/** As pg calls it. */
const timeout = 'Query read timeout';

/**
 * A connection that breaks is an event, and without a listener it would end the process. Whoever holds it learns it from the next query. It is
 * listened to from the moment it is made: PostgreSQL may let a client in and turn it out in one breath. The pool replaces one that is idle.
 */
export function outliveConnections(pool: pg.Pool, onIdle: (error: Error) => void): void {
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', onIdle);
}

function guarded(client: pg.PoolClient): PostgresPoolClient {
  let stuck = false;
  const ask = async <R>(sql: string, parameters: readonly unknown[]) => {
    if (stuck) throw new Error(timeout);
    try {
      const result: unknown = await client.query(sql, [...parameters]);
      return result as PostgresQueryResult<R>;
    } catch (error) {
      stuck = error instanceof Error && error.message === timeout;
      throw error;
    }
  };
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql === 'string') return ask<R>(sql, parameters);
    throw new Error('Nothing here reads with cursors.');
  }
  return { query, release: () => client.release(stuck) };
}
