import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { freePort, needs, startRedisServer, tcpProxy, testRedis, waitFor } from '@parley/testkit';
import { connectRedis } from '#src/redis-client.js';
import type { RedisOptions } from '#src/redis-options.js';
import type { Redis } from '#src/topology.js';

describe('a client for the request path', () => {
  const clients: Redis[] = [];
  const connect = async (options: RedisOptions) => {
    const redis = await connectRedis(options);
    clients.push(redis);
    return redis;
  };
  const reasonOf = async (options: RedisOptions): Promise<string> => {
    const failure: unknown = await connect(options).catch((error: unknown) => error);
    return (failure as Error).message;
  };
  after(() => {
    for (const client of clients) client.disconnect();
  });

  it('sends the commands of one turn of the event loop together, each with its own answer', async () => {
    const redis = await connect({ url: (await testRedis()).url });
    const { stream } = redis as unknown as { stream: Duplex };
    let writes = 0;
    for (const write of ['_write', '_writev'] as const) {
      const original = Reflect.get(stream, write) as (...chunks: unknown[]) => void;
      Reflect.set(stream, write, (...chunks: unknown[]) => {
        writes += 1;
        original.apply(stream, chunks);
      });
    }
    const key = randomUUID();
    const answers = [redis.set(key, 'a'), redis.get(key), redis.incr(key), redis.del(key)];
    const settled = await Promise.allSettled(answers);
    expect(settled.map(({ status }) => status)).to.deep.equal([
      ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    ]);
    expect(await answers[1]).to.equal('a');
    expect(writes).to.equal(1);
    await redis.ping();
    expect(writes).to.equal(2);
  });

  describe('that cannot connect', () => {
    for (const mode of ['single', 'sentinel', 'cluster'] as const)
      it(`tells in one line that nobody is there (${mode})`, async () => {
        const nobody = `127.0.0.1:${await freePort()}`;
        const reason = await reasonOf({ url: `redis://${nobody}`, mode, sentinelMaster: 'any' });
        expect(reason).to.include(nobody);
        expect(reason).to.include('ECONNREFUSED');
      });

    it('tells that the server is no cluster', async () => {
      const { url } = await testRedis();
      expect(await reasonOf({ url, mode: 'cluster' })).to.match(/cluster support disabled/);
    });

    it('tells that the server is no sentinel', async () => {
      const { url } = await testRedis();
      expect(await reasonOf({ url, mode: 'sentinel', sentinelMaster: 'any' })).to.match(
        // The embedded one asks for its password first.
        /unknown command|NOAUTH/,
      );
    });
  });

  describe('whose password is changed', () => {
    needs('redis-server');

    it('is let in again when it is changed back', async () => {
      const server = await startRedisServer();
      const told: string[] = [];
      const redis = await connect({
        url: server.url,
        onError: ({ message }) => told.push(message),
      });
      const answers = () =>
        redis.ping().then(
          () => true,
          () => false,
        );
      const keeper = await connect({ url: server.url });
      await keeper.config('SET', 'requirepass', 'another');
      await keeper.call('CLIENT', 'KILL', 'ID', String(await redis.client('ID')));
      await waitFor(() => told.some((line) => line.startsWith('NOAUTH')), { what: 'a refusal' });
      expect(await answers()).to.equal(false);
      await keeper.config('SET', 'requirepass', '');
      await waitFor(answers, { what: 'Redis again' });
      await server.stop();
    });
  });

  it('gives a connection up that has died unnoticed', async () => {
    const proxy = await tcpProxy({ target: (await testRedis()).url });
    const redis = await connect({ url: proxy.url });
    const closed = new Promise((resolve) => redis.once('close', resolve));
    proxy.blackHole();
    const failure: unknown = await redis.get('key').catch((error: unknown) => error);
    expect((failure as Error).message).to.equal('Command timed out');
    await closed;
    proxy.heal();
    await waitFor(
      () =>
        redis.get('key').then(
          () => true,
          () => false,
        ),
      { what: 'Redis again' },
    );
    await proxy.stop();
  });

  describe('warns', () => {
    needs('redis-server');
    const warningsOf = async (url: string): Promise<string[]> => {
      const warnings: string[] = [];
      await connect({ url, onWarning: (warning) => warnings.push(warning) });
      return warnings;
    };

    it('of a server that evicts and forgets, unless that is hidden', async () => {
      const server = await startRedisServer({ args: ['--maxmemory-policy', 'allkeys-lru'] });
      expect(await warningsOf(server.url)).to.deep.equal([
        'maxmemory-policy is allkeys-lru: a full Redis drops tokens and jobs; set noeviction',
        'appendonly is no, so a restarted Redis loses tokens and jobs; set it to yes',
      ]);
      const redis = await connect({ url: server.url });
      await redis.acl('SETUSER', 'managed', 'on', '>hush', '~*', '+@all', '-config');
      expect(await warningsOf(server.url.replace('://', '://managed:hush@'))).to.deep.equal([]);
      await server.stop();
    });

    it('of nothing where all is well', async () => {
      const server = await startRedisServer({ args: ['--appendonly', 'yes'] });
      expect(await warningsOf(server.url)).to.deep.equal([]);
      await server.stop();
    });
  });
});
