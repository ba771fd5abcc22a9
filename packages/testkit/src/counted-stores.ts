import { tcpProxy } from './tcp-proxy.js';

export type StoreCalls = { postgres: number; redis: number };

/** Both stores, through proxies that count what they are asked. */
export type CountedStores = {
  readonly postgresUrl: string;
  readonly redisUrl: string;
  /** What the work returns, and how many round trips each store made for it. */
  counted<Result extends object>(work: () => Promise<Result>): Promise<Result & StoreCalls>;
  stop(): Promise<void>;
};

export async function countedStores(
  urls: Record<keyof StoreCalls, string>,
): Promise<CountedStores> {
  const calls: StoreCalls = { postgres: 0, redis: 0 };
  const postgres = await tcpProxy({
    target: urls.postgres,
    onRequest: (bytes) => (calls.postgres += roundTripsIn(bytes)),
  });
  const redis = await tcpProxy({
    target: urls.redis,
    onRequest: (bytes) => (calls.redis += commandsIn(bytes)),
  });
  return {
    postgresUrl: postgres.url,
    redisUrl: redis.url,
    async counted(work) {
      Object.assign(calls, { postgres: 0, redis: 0 });
      return { ...(await work()), ...calls };
    },
    async stop() {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

/** A client of PostgreSQL waits for an answer after each Sync, and after each simple query. */
function roundTripsIn(bytes: Buffer): number {
  let roundTrips = 0;
  // The first message of a connection has no kind.
  if (bytes[0] === 0) return roundTrips;
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    if (bytes[at] === 'S'.charCodeAt(0) || bytes[at] === 'Q'.charCodeAt(0)) roundTrips += 1;
  return roundTrips;
}

/** Subscriptions ask for a sign of life. */
function commandsIn(bytes: Buffer): number {
  const commands = bytes.toString('latin1').matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g);
  return [...commands].filter(([, name]) => name?.toLowerCase() !== 'ping').length;
}
