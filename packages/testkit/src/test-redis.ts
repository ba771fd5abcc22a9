import { startEmbeddedValkey } from '@parley/embedded';
import { dockerRedis } from './docker.js';
import { findProgram } from './programs.js';
import { startRedisServer } from './redis-server.js';
import { startFirst, type Server } from './server-source.js';
import { withRedis } from './with-redis.js';

export interface TestRedis {
  readonly url: string;
  flush(): Promise<void>;
}

const DATABASES = 1_000;
let shared: Promise<{ server: Server; databases: number }> | undefined;
let handedOut = 0;

/**
 * A logical database of the run's one Redis, empty. When all have been handed out, the oldest comes again.
 * Publish/subscribe knows no logical databases: channel names have to differ between tests.
 */
export async function testRedis(): Promise<TestRedis> {
  const { server, databases } = await (shared ??= startShared());
  const url = new URL(server.url);
  url.pathname = `/${handedOut++ % databases}`;
  const flush = () =>
    withRedis(url.href, async (client) => {
      await client.flushdb();
    });
  await flush();
  return { url: url.href, flush };
}

async function startShared(): Promise<{ server: Server; databases: number }> {
  const server = await startFirst({
    name: 'Redis',
    variable: 'TEST_REDIS_URL',
    sources: { docker: () => dockerRedis(DATABASES), local: localRedis, embedded: embeddedRedis },
  });
  const databases = await withRedis(server.url, async (client) => {
    const [, count] = await client.config('GET', 'databases');
    return Number(count ?? 1);
  });
  return { server, databases };
}

async function localRedis(): Promise<Server | undefined> {
  const program = await findProgram('redis-server');
  if (program === undefined) return undefined;
  const server = await startRedisServer({ args: ['--databases', String(DATABASES)] });
  const version = await withRedis(server.url, (client) => client.info('server'));
  const number = /redis_version:(\S+)/.exec(version)?.[1] ?? 'of unknown version';
  return {
    url: server.url,
    stop: () => server.stop(),
    from: `local redis-server ${number} (${program})`,
  };
}

async function embeddedRedis(): Promise<Server> {
  return { ...(await startEmbeddedValkey()), from: 'the embedded Valkey' };
}
