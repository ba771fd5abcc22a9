import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Cluster } from 'ioredis';
import {
  needs,
  startRedisCluster,
  startRedisSentinel,
  waitFor,
  type KillableServer,
  type RedisTopology,
} from '@parley/testkit';
import { createConsoleSessions } from '#src/console-sessions.js';
import { createEventLog, eventsChannel } from '#src/event-log.js';
import { publishTo } from '#src/pod-channel.js';
import { createRateLimit } from '#src/rate-limits.js';
import { connectRedis } from '#src/redis-client.js';
import { RedisUnusable } from '#src/redis-errors.js';
import { redisOptions, type RedisOptions } from '#src/redis-options.js';
import { createSessionTokens, hashSessionToken, type SessionTokens } from '#src/session-tokens.js';
import { subscribe, type Subscriber } from '#src/subscriber.js';
import type { Redis } from '#src/topology.js';
import { ticket } from './support/ticket.js';

const topologies = { Sentinel: startRedisSentinel, Cluster: startRedisCluster } as const;

for (const [name, start] of Object.entries(topologies))
  describe(`Redis ${name}`, () => {
    needs('redis-server');
    let topology: RedisTopology;
    let options: RedisOptions;
    let redis: Redis;
    let tokens: SessionTokens;
    let subscriber: Subscriber;
    let lost: KillableServer | undefined;
    let gaps = 0;
    const messages: string[] = [];
    const channel = randomUUID();

    before(async () => {
      topology = await start();
      options = redisOptions(topology.settings);
      redis = await connectRedis(options);
      tokens = createSessionTokens(redis);
      subscriber = await listen(options);
    });
    after(async () => {
      subscriber.close();
      redis.disconnect();
      await topology.stop();
    });

    const issue = async (): Promise<Buffer> =>
      hashSessionToken((await tokens.issue(ticket, 60)).token);
    const issueMany = (count: number) => Promise.all(Array.from({ length: count }, issue));
    const outcomes = async (hashes: readonly Buffer[], attempt: string) => {
      const all = await Promise.all(hashes.map((hash) => tokens.consume(hash, attempt)));
      return new Set(all.map(({ outcome }) => outcome));
    };
    /** Resolves when the replicas have everything, so that a failover loses nothing. */
    const replicated = async () => {
      const masters = redis instanceof Cluster ? redis.nodes('master') : [redis];
      for (const master of masters) expect(await master.wait(1, 5000)).to.be.at.least(1);
    };
    const works = () =>
      waitFor(
        () =>
          issueMany(20).then(
            () => true,
            () => false,
          ),
        {
          what: 'Redis to take tokens again',
        },
      );

    it('keeps tokens, each redeemed once', async () => {
      const hashes = await issueMany(100);
      expect(await outcomes(hashes, 'a')).to.deep.equal(new Set(['redeemed']));
      expect(await outcomes(hashes, 'b')).to.deep.equal(new Set(['consumed']));
    });

    it('counts rate limits', async () => {
      const limit = createRateLimit(redis, { name: 'test', perMinute: 2 });
      for (const keyId of Array.from({ length: 10 }, () => randomUUID())) {
        const kinds = [1, 2, 3].map(async () => (await limit.consume(keyId)).kind);
        expect(await Promise.all(kinds)).to.deep.equal(['allowed', 'allowed', 'limited']);
      }
    });

    it('keeps who is signed in to the console', async () => {
      const sessions = createConsoleSessions(redis);
      const people = Array.from({ length: 20 }, () => ({
        userId: randomUUID(),
        memberId: null,
        epoch: 0,
      }));
      const opened = await Promise.all(people.map((person) => sessions.open(person)));
      const known = await Promise.all(opened.map((token) => sessions.use(token)));
      expect(known).to.deep.equal(people);
      for (const token of opened) await sessions.end(token);
      expect(await sessions.use(opened[0] ?? '')).to.equal(undefined);
    });

    it('keeps what happened lately in each organization, and tells whoever listens at any node', async () => {
      const log = createEventLog(redis);
      const hints = new Set<string>();
      const events = await subscribe({
        ...options,
        channel: eventsChannel,
        onMessage: (organizationId) => hints.add(organizationId),
        onGap: () => undefined,
      });
      const organizations = Array.from({ length: 20 }, () => randomUUID());
      for (const id of organizations) {
        const { place } = await log.read(id);
        await log.append(id, ['one', 'two']);
        const { whole, events: told } = await log.read(id, place);
        expect({ whole, told: told.map(({ event }) => event) }).to.deep.equal({
          whole: true,
          told: ['one', 'two'],
        });
      }
      await waitFor(() => hints.size === organizations.length, { what: 'the hints' });
      events.close();
    });

    it('tells whether a pod heard a hint, if one server knows all subscribers', async () => {
      const hint = { kind: 'approval', id: 'x' } as const;
      const heard = await publishTo(redis, randomUUID(), hint);
      expect(heard).to.equal(redis instanceof Cluster ? undefined : 0);
    });

    it('needs one of the addresses alone', async () => {
      const [first = '', ...others] = options.url.split(',');
      const url = ['redis://127.0.0.1:1', ...others, first].join();
      const client = await connectRedis({ ...options, url });
      expect(await client.ping()).to.equal('PONG');
      client.disconnect();
    });

    for (const signal of ['SIGKILL', 'SIGSTOP'] as const)
      it(`goes on after ${signal} of a master, with all that was replicated`, async () => {
        await lost?.restart();
        const [spent, fresh] = [await issueMany(30), await issueMany(30)];
        const sessions = createConsoleSessions(redis);
        const person = { userId: randomUUID(), memberId: null, epoch: 0 };
        const cookies = await Promise.all(Array.from({ length: 10 }, () => sessions.open(person)));
        await outcomes(spent, 'before');
        await replicated();
        lost = await askingMeanwhile(topology.failover({ signal }));
        await works();
        expect(await outcomes(spent, 'after')).to.deep.equal(new Set(['consumed']));
        expect(await outcomes(fresh, 'after')).to.deep.equal(new Set(['redeemed']));
        for (const cookie of cookies) expect(await sessions.use(cookie)).to.deep.equal(person);
        await heard(`after ${signal}`);
        expect(gaps).to.be.at.least(1);
      });

    it('is entered with the user and password of the URLs', async () => {
      const password = 'p,w:/@%';
      const servers = redis instanceof Cluster ? redis.nodes('all') : [redis];
      for (const server of servers)
        await server.acl('SETUSER', 'parley', 'on', `>${password}`, '~*', '&*', '+@all');
      for (const server of servers) await server.acl('SETUSER', 'default', 'resetpass');
      const url = options.url.replaceAll('://', `://parley:${encodeURIComponent(password)}@`);
      const entered = await connectRedis({ ...options, url });
      await createSessionTokens(entered).issue(ticket, 60);
      entered.disconnect();
      (await listen({ ...options, url })).close();
      const refusal: unknown = await connectRedis(options).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(RedisUnusable);
    });

    /** Issues tokens all the time. Each attempt ends, with a token or a refusal; one that hung would hang the test. */
    async function askingMeanwhile<T>(work: Promise<T>): Promise<T> {
      const answers: Promise<unknown>[] = [];
      const asking = setInterval(() => answers.push(issue().catch(() => undefined)), 20);
      try {
        return await work;
      } finally {
        clearInterval(asking);
        await Promise.all(answers);
      }
    }

    function listen(to: RedisOptions): Promise<Subscriber> {
      return subscribe({
        ...to,
        channel,
        onMessage: (message) => messages.push(message),
        onGap: () => (gaps += 1),
      });
    }

    /** Messages that nobody hears are lost, so it is repeated. */
    async function heard(message: string): Promise<void> {
      await waitFor(
        async () => {
          await redis.publish(channel, message);
          return messages.includes(message);
        },
        { what: 'the message' },
      );
    }
  });
