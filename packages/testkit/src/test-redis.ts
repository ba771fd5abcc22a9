import { startEmbeddedValkey } from '@parley/embedded';
import { EMBEDDED_REDIS, runServers } from './run-servers.js';
import { stopAtTeardown } from './teardown.js';
import { withRedis } from './with-redis.js';

export type TestRedis = {
  readonly url: string;
  flush(): Promise<void>;
};

let embedded: Promise<string> | undefined;

/**
 * An empty logical database on the Redis of the run. When all have been handed out, the oldest is
 * reused. Publish/subscribe ignores logical databases, so channel names must differ between tests.
 */
export async function testRedis(): Promise<TestRedis> {
  const { redis } = await runServers();
  const server = redis === EMBEDDED_REDIS ? await (embedded ??= startEmbedded()) : redis;
  const url = new URL(server);
  url.pathname = `/${await nextDatabase(server)}`;
  const flush = () =>
    withRedis(url.href, async (client) => {
      await client.flushdb();
    });
  await flush();
  return { url: url.href, flush };
}

/**
 * Other processes use the same server, so the count is kept there, in the one database that is
 * never handed out.
 */
async function nextDatabase(server: string): Promise<number> {
  const counter = new URL(server);
  counter.pathname = '/0';
  return withRedis(counter.href, async (client) => {
    const [, databases] = await client.config('GET', 'databases');
    const count = await client.incr('testkit:handed-out');
    return 1 + (count % (Number(databases) - 1));
  });
}

async function startEmbedded(): Promise<string> {
  const server = await startEmbeddedValkey();
  stopAtTeardown({
    stop: async () => {
      embedded = undefined;
      await server.stop();
    },
  });
  return server.url;
}
