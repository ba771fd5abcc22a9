import { expect } from 'chai';
import { testRedis } from '@parley/testkit';
import { createAuditWatch, type AuditState, type AuditWatch } from '#src/audit-watch.js';
import { connectRedis } from '#src/redis-client.js';
import type { Redis } from '#src/topology.js';

const walking = (sequence: number): AuditState => ({
  walk: {
    startedAt: 1_700_000_000_123,
    after: null,
    at: { organizationId: 'o', sequence, hash: 'abcd', promised: 0 },
    organizations: 0,
    broken: 0,
  },
  verified: { startedAt: 1, endedAt: 2, broken: 3 },
});

describe('the watch over audit logs', () => {
  let redis: Redis;
  let watch: AuditWatch;

  beforeEach(async () => {
    redis = await connectRedis({ url: (await testRedis()).url, name: 'test' });
    watch = createAuditWatch(redis);
  });
  afterEach(() => redis.disconnect());

  it('starts with nothing, and keeps what it is told', async () => {
    const none = await watch.read();
    expect(none).to.deep.equal({ walk: null, verified: null });
    expect(await watch.replace(none, walking(1))).to.equal(true);
    expect(await createAuditWatch(redis).read()).to.deep.equal(walking(1));
  });

  it('lets one of many go on from the same state', async () => {
    await watch.replace(await watch.read(), walking(0));
    const read = await watch.read();
    const results = await Promise.all([1, 2, 3, 4].map(() => watch.replace(read, walking(1))));
    expect(results.filter(Boolean)).to.have.length(1);
    expect(await watch.replace(read, walking(9))).to.equal(false);
    expect(await watch.read()).to.deep.equal(walking(1));
  });

  it('begins again when Redis has lost it', async () => {
    await watch.replace(await watch.read(), walking(1));
    const read = await watch.read();
    await redis.flushdb();
    expect(await watch.replace(read, walking(2))).to.equal(false);
    expect(await watch.read()).to.deep.equal({ walk: null, verified: null });
  });
});
