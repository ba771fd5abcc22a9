import type { Redis as Server } from 'ioredis';
import { backoff } from './redis-client.js';
import { RedisUnusable, watchErrors } from './redis-errors.js';
import type { RedisOptions } from './redis-options.js';
import { createConnection } from './topology.js';

export type Subscriber = { close(): void };

export type SubscriberOptions = RedisOptions & {
  readonly channel: string;
  readonly onMessage: (message: string) => void;
  readonly onGap: () => void;
};

/** A client that only listens does not notice a dead connection, so it pings. */
const pingMs = 1000;
const connection = { connectTimeout: 3000, keepAlive: 5000, socketTimeout: 3000 } as const;

/**
 * Listens on one channel across reconnects and failovers. Messages published in between are lost:
 * `onGap` is called after each (re)subscription except the first, because state must be read again.
 * Rejects if the first subscription fails.
 */
export async function subscribe(options: SubscriberOptions): Promise<Subscriber> {
  let closed = false;
  let attempt = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let redis: Server;

  const open = async () => {
    redis = createConnection(options, { connection, attempt: attempt++ });
    await listen(redis, options);
    redis.once('end', again);
  };
  const reopen = async () => {
    await open();
    failures = 0;
    options.onGap();
  };
  const again = () => {
    if (!closed) timer = setTimeout(() => void reopen().catch(again), backoff(++failures));
  };

  await open();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      redis.disconnect();
    },
  };
}

async function listen(redis: Server, options: SubscriberOptions): Promise<void> {
  const reason = watchErrors(redis, options.onError);
  redis.on('message', (_channel, message) => options.onMessage(message));
  try {
    await redis.connect();
    await redis.subscribe(options.channel);
  } catch (error) {
    redis.disconnect();
    throw new RedisUnusable(reason() ?? (error as Error));
  }
  // Silence ends the connection (socketTimeout), and with it the pings.
  const pings = setInterval(() => void redis.ping().catch(() => undefined), pingMs);
  redis.once('end', () => clearInterval(pings));
}
