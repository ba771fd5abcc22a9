import { Redis } from 'ioredis';
import { trusting } from './redis-guard.js';

/** One short exchange with a server; rejects immediately if the server is unavailable. */
export async function withRedis<T>(url: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, {
    ...trusting(url),
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 5000,
    commandTimeout: 5000,
  });
  client.on('error', () => undefined); // the command reports it
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.disconnect();
  }
}
