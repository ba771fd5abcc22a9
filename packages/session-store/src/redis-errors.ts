import type { Redis } from './topology.js';

/** Why Redis cannot be used, for the operator. */
export class RedisUnusable extends Error {
  override readonly name = 'RedisUnusable';

  constructor(cause: Error) {
    super(inWords(cause.message), { cause });
  }
}

/** Whether waiting may help: a wrong password or certificate does not mend itself. */
export function isRedisAway(error: unknown): boolean {
  const away =
    /\b(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|LOADING|MASTERDOWN|CLUSTERDOWN)\b|timed out|Connection is closed/;
  return error instanceof Error && away.test(error.message);
}

/**
 * Forwards every error, and remembers the most specific one: that of a single sentinel or node,
 * rather than of all of them.
 */
export function watchErrors(
  redis: Redis,
  onError?: (error: Error) => void,
): () => Error | undefined {
  let general: Error | undefined;
  let particular: Error | undefined;
  redis.on('error', (error: Error) => {
    general = error;
    onError?.(error);
  });
  redis.on('sentinelError', (error: Error) => {
    particular = error;
    onError?.(error);
  });
  redis.on('node error', (cause: Error, node: string) => {
    particular = new Error(`${node}: ${cause.message}`, { cause });
    onError?.(particular);
  });
  return () => particular ?? general;
}

function inWords(message: string): string {
  return message
    .replace(
      /^connected to (sentinel \S+) successfully, but got an invalid reply: null$/,
      '$1 knows no master of the name in REDIS_SENTINEL_MASTER',
    )
    .replace(/NOAUTH .*/, 'NOAUTH it asks for a password');
}
