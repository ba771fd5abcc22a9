import type pg from 'pg';

/**
 * A broken connection emits an event that would end the process without a listener. Whoever holds
 * the connection gets the error from the next query. The listener is attached as soon as the
 * connection is created, because PostgreSQL may accept a client and disconnect it immediately. The
 * pool replaces an idle connection.
 */
export function outliveConnections(pool: pg.Pool, onIdle: (error: Error) => void): void {
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', onIdle);
}
