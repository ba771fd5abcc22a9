import type pg from 'pg';

/**
 * A connection that breaks is an event, and without a listener it would end the process. Whoever holds it learns it from the next query. It is
 * listened to from the moment it is made: PostgreSQL may let a client in and turn it out in one breath. The pool replaces one that is idle.
 */
export function outliveConnections(pool: pg.Pool, onIdle: (error: Error) => void): void {
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', onIdle);
}
