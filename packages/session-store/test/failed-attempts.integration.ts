import { expect } from 'chai';
import { createFailedAttempts } from '#src/failed-attempts.js';
import { connectRedis } from '#src/redis-client.js';
import type { Redis } from '#src/topology.js';
import { needs, startRedisServer, testRedis } from '@parley/testkit';

describe('failed attempts', () => {
  let redis: Redis;
  before(async () => (redis = await connectRedis({ url: (await testRedis()).url, name: 'test' })));
  after(() => redis.disconnect());

  it('are refused after so many in a minute, on every pod that sees one more', async () => {
    let now = 0;
    const pod = () => createFailedAttempts(redis, { name: 'shared', perMinute: 3, now: () => now });
    const [first, second] = [pod(), pod()];
    await first.failed('198.51.100.1');
    await second.failed('198.51.100.1');
    expect(first.refusedFor('198.51.100.1')).to.equal(undefined);
    await first.failed('198.51.100.1');
    expect(first.refusedFor('198.51.100.1')).to.be.within(1, 60);
    expect(first.refusedFor('198.51.100.2')).to.equal(undefined);
    expect(second.refusedFor('198.51.100.1')).to.equal(undefined);
    await second.failed('198.51.100.1');
    expect(second.refusedFor('198.51.100.1')).to.be.within(1, 60);
    now = 61_000;
    expect(first.refusedFor('198.51.100.1')).to.equal(undefined);
  });

  it('are remembered of so many addresses and no more', async () => {
    const attempts = createFailedAttempts(redis, { name: 'many', perMinute: 1 });
    const addresses = Array.from({ length: 10_001 }, (_, n) => `address-${n}`);
    for (let at = 0; at < addresses.length; at += 50)
      await Promise.all(addresses.slice(at, at + 50).map((one) => attempts.failed(one)));
    const refused = addresses.filter((one) => attempts.refusedFor(one) !== undefined);
    expect(refused).to.have.length(10_000);
  });
});

describe('failed attempts without Redis', () => {
  needs('redis-server');

  it('lock nobody out', async () => {
    const server = await startRedisServer();
    const own = await connectRedis({ url: server.url, name: 'test' });
    const attempts = createFailedAttempts(own, { name: 'away', perMinute: 1 });
    await server.kill();
    for (let n = 0; n < 3; n += 1) await attempts.failed('198.51.100.1');
    expect(attempts.refusedFor('198.51.100.1')).to.equal(undefined);
    own.disconnect();
  });
});
