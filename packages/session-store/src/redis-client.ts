import { Redis } from 'ioredis';

export type { Redis } from 'ioredis';

export type RedisClientOptions = {
  url: string;
  /** Shown by CLIENT LIST. */
  name: string;
  onError?: (error: Error) => void;
};

/**
 * A client for the request path: it fails fast instead of queueing, and reconnects by itself for as long as it takes. A command may be
 * sent twice when its reply was lost, so everything sent through it must bear repetition.
 */
export async function connectRedis({ url, name, onError }: RedisClientOptions): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectionName: name,
    connectTimeout: 3000,
    commandTimeout: 2000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    keepAlive: 5000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  let lastError: Error | undefined;
  redis.on('error', (error: Error) => {
    lastError = error;
    onError?.(error);
  });
  try {
    await redis.connect();
    await redis.ping();
    return redis;
  } catch (error) {
    redis.disconnect();
    throw new RedisUnreachable(lastError ?? (error as Error));
  }
}

export class RedisUnreachable extends Error {
  override readonly name = 'RedisUnreachable';

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}
