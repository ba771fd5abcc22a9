import { Cluster } from 'ioredis';
import type { RedisOptions } from './redis-options.js';
import { durabilityWarnings, versionProblem } from './redis-requirements.js';
import { gather } from './gather-commands.js';
import { measure } from './measure-commands.js';
import { RedisUnusable, watchErrors } from './redis-errors.js';
import { createClient, createProbe, type Manner, type Redis } from './topology.js';

const connection = { connectTimeout: 3000, keepAlive: 5000 } as const;

/**
 * Requests fail fast instead of waiting in a queue. A connection that died unnoticed is dropped
 * shortly after the first request on it.
 */
const requestPath = {
  connection: {
    ...connection,
    commandTimeout: 2000,
    socketTimeout: 2500,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  },
  cluster: { enableOfflineQueue: false },
} as const satisfies Omit<Manner, 'retry'>;

/**
 * Jobs wait for as long as it takes. BullMQ blocks for up to ten seconds, so only a longer silence
 * means something.
 */
const jobs = {
  connection: { ...connection, socketTimeout: 12_000, maxRetriesPerRequest: null },
  cluster: { maxRedirections: 1000 },
} as const satisfies Omit<Manner, 'retry'>;

/**
 * A client for the request path: it fails fast instead of queueing, and keeps reconnecting. A
 * command may be sent twice if its reply was lost, so everything sent through it must be
 * idempotent.
 */
export async function connectRedis(options: RedisOptions): Promise<Redis> {
  let started = false;
  const retry = (attempt: number) => (started ? backoff(attempt) : null);
  const redis = createClient(options, { ...requestPath, retry });
  const reason = watchErrors(redis, (error) => {
    if (started) options.onError?.(error); // until then, the caller gets the reason
  });
  try {
    await connected(redis).catch(async (error: unknown) => {
      throw new RedisUnusable(await closerReason(options, reason() ?? (error as Error)));
    });
    const problem = versionProblem(await redis.info('server'));
    if (problem !== undefined) throw new RedisUnusable(new Error(problem));
    if (options.onWarning)
      for (const warning of await durabilityWarnings(redis)) options.onWarning(warning);
    started = true;
    gather(redis);
    if (options.metrics) measure(redis, options.metrics);
    return redis;
  } catch (error) {
    redis.disconnect();
    throw error;
  }
}

/**
 * A client for BullMQ's Worker, which connects it and its copies when it needs them. They retry
 * forever, or until `trying` returns false.
 */
export function createJobsClient(options: RedisOptions, trying: () => boolean): Redis {
  const retry = (attempt: number) => (trying() ? backoff(attempt) : null);
  const redis = createClient(options, { ...jobs, retry });
  return redis.on('error', () => undefined); // the Worker reports them
}

export function backoff(attempt: number): number {
  return Math.min(attempt * 100, 2000);
}

/**
 * ioredis does not report why the connection to a sentinel or node was closed, so try that address
 * once more.
 */
async function closerReason(options: RedisOptions, told: Error): Promise<Error> {
  const closed =
    /^(?:failed to connect to )?((?:sentinel )?(\S+):(\d+))(?: because|:) Connection is closed\.$/;
  const [, who, host, port] = closed.exec(told.message) ?? [];
  if (host === undefined) return told;
  const probe = createProbe(options, { connection, address: { host, port: Number(port) } });
  const reason = watchErrors(probe);
  await probe.connect().catch(() => undefined); // the error event has the reason
  probe.disconnect();
  const cause = reason();
  return cause ? new Error(`${who}: ${cause.message}`, { cause }) : told;
}

/** An unhealthy cluster ends without settling connect(). */
async function connected(redis: Redis): Promise<void> {
  const ended = new Promise<never>((_resolve, reject) => {
    redis.once('end', () => reject(new Error('Connection is closed.')));
  });
  await Promise.race([redis.connect(), ended]);
  if (redis instanceof Cluster) await Promise.all(redis.nodes('master').map((node) => node.ping()));
  else await redis.ping();
}
