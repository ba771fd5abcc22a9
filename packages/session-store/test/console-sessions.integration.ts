import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createConsoleSessions, isConsoleToken } from '#src/console-sessions.js';
import { connectRedis } from '#src/redis-client.js';
import type { Redis } from '#src/topology.js';
import { testRedis, waitFor } from '@parley/testkit';

describe('sessions of the console', () => {
  let redis: Redis;
  before(async () => {
    redis = await connectRedis({ url: (await testRedis()).url, name: 'test' });
  });
  after(() => redis.disconnect());

  const person = () => ({ userId: randomUUID(), memberId: null, epoch: 3 });
  const ttlOf = async (): Promise<number[]> =>
    Promise.all((await redis.keys('parley:console:*')).map((key) => redis.pttl(key)));

  it('are known by a token that is new each time, and forgotten when they end', async () => {
    const sessions = createConsoleSessions(redis);
    const session = person();
    const [one, another] = [await sessions.open(session), await sessions.open(session)];
    expect(one).not.to.equal(another);
    expect([one, another].every(isConsoleToken)).to.equal(true);
    expect(await sessions.use(one)).to.deep.equal(session);
    await sessions.end(one);
    expect(await sessions.use(one)).to.equal(undefined);
    expect(await sessions.use(another)).to.deep.equal(session);
    await sessions.end(another);
  });

  it('live for twelve hours after each use, and for seven days at most', async () => {
    const hour = 3_600_000;
    const sessions = createConsoleSessions(redis);
    const token = await sessions.open(person());
    const [key = ''] = await redis.keys('parley:console:*');
    await redis.pexpire(key, 60_000);
    await sessions.use(token);
    expect(await redis.pttl(key)).to.be.within(11.9 * hour, 12 * hour);
    await redis.pexpire(key, 60_000);
    expect(await sessions.look(token)).to.deep.equal(await sessions.look(token));
    expect(await redis.pttl(key)).to.be.within(0, 60_000);
    await redis.hset(key, 'deadline', Date.now() + hour);
    await sessions.use(token);
    expect(await redis.pttl(key)).to.be.within(0, 1.1 * hour);
    await redis.hset(key, 'deadline', Date.now() - 60_000);
    expect(await sessions.use(token)).to.equal(undefined);
    expect(await ttlOf()).to.deep.equal([]);
  });

  it('end by themselves', async () => {
    const sessions = createConsoleSessions(redis, { idleMs: 20, longestMs: 10_000 });
    const token = await sessions.open(person());
    await waitFor(async () => (await ttlOf()).length === 0, { what: 'the session to end' });
    expect(await sessions.use(token)).to.equal(undefined);
  });

  it('are nothing that a token of another shape could name', () => {
    for (const text of ['', 'x', 'x'.repeat(42), `${'x'.repeat(43)}\n`, '*'.repeat(43)])
      expect(isConsoleToken(text)).to.equal(false);
  });
});
