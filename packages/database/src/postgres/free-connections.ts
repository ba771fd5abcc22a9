import type pg from 'pg';

/** What nobody has needed for this long goes back to the pool, which closes it. */
const spareMs = 10_000;

/**
 * Keeps the free connections of a pool at hand. The pool itself takes a promise, a tick and two
 * timers to hand one out and to take it back, which is more than many a query costs.
 */
export class FreeConnections {
  readonly #pool: pg.Pool;
  readonly #free: pg.PoolClient[] = [];
  readonly #broken = new WeakSet<pg.PoolClient>();
  readonly #timer: NodeJS.Timeout;
  /** How many were free all the time since the timer last fired. */
  #spare = 0;
  #ending = false;

  /** `onIdle` is told when a free connection breaks. */
  constructor(pool: pg.Pool, onIdle: (error: Error) => void) {
    this.#pool = pool;
    this.#timer = setInterval(() => this.#returnSpare(), spareMs).unref();
    pool.on('connect', (client) =>
      client.on('error', (error) => {
        this.#broken.add(client);
        const at = this.#free.indexOf(client);
        // Whoever holds it gets the error from the query, and returns it.
        if (at < 0) return;
        this.#free.splice(at, 1);
        client.release(true);
        onIdle(error);
      }),
    );
  }

  /** The one that was used last, so that the others can be spared. */
  take(): pg.PoolClient | undefined {
    const client = this.#free.pop();
    this.#spare = Math.min(this.#spare, this.#free.length);
    return client;
  }

  keep(client: pg.PoolClient): void {
    if (this.#broken.has(client)) client.release(true);
    else if (this.#ending || this.#pool.waitingCount > 0) client.release();
    else this.#free.push(client);
  }

  async end(): Promise<void> {
    this.#ending = true;
    clearInterval(this.#timer);
    const ended = this.#pool.end();
    for (const client of this.#free.splice(0)) client.release();
    await ended;
  }

  #returnSpare(): void {
    for (const client of this.#free.splice(0, this.#spare)) client.release();
    this.#spare = this.#free.length;
  }
}
