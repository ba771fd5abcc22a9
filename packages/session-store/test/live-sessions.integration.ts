import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { testRedis } from '@parley/testkit';
import { liveKeys } from '#src/keys.js';
import { createLiveSessions, type LiveSession, type LiveSessions } from '#src/live-sessions.js';
import { podChannel } from '#src/pod-channel.js';
import { connectRedis } from '#src/redis-client.js';
import type { Redis as Client } from '#src/topology.js';

const everything = { offset: 0, limit: 200 };

describe('live sessions', () => {
  let url: string;
  let redis: Client;
  let live: LiveSessions;
  let organizationId: string;

  beforeEach(async () => {
    ({ url } = await testRedis());
    redis = await connectRedis({ url, name: 'test' });
    live = createLiveSessions(redis);
    organizationId = randomUUID();
  });
  afterEach(() => redis.disconnect());

  const session = (fields: Partial<LiveSession> = {}): LiveSession => ({
    id: randomUUID(),
    organizationId,
    agentId: randomUUID(),
    conversationId: randomUUID(),
    pod: `pod-${randomUUID()}`,
    startedAt: new Date().toISOString(),
    ...fields,
  });
  const ids = (sessions: readonly LiveSession[]) => sessions.map(({ id }) => id);
  const listed = async () => (await live.list(organizationId, everything)).items;
  /** As if the pod had been silent for this long. */
  const silence = async ({ id }: LiveSession, ms: number) => {
    await redis.zincrby(liveKeys.beats, -ms, id);
  };

  it('are listed over all pods, oldest first, until they are forgotten', async () => {
    const late = session({ startedAt: '2026-01-02T00:00:00.000Z' });
    const early = session({ startedAt: '2026-01-01T00:00:00.000Z' });
    await live.beat(late.pod, [late]);
    await live.beat(early.pod, [early, session({ organizationId: randomUUID() })]);
    expect(await listed()).to.deep.equal([early, late]);
    await live.forget(early);
    expect(await listed()).to.deep.equal([late]);
  });

  it('are filtered by agent and conversation, and paged', async () => {
    const agentId = randomUUID();
    const own = Array.from({ length: 5 }, (_, n) =>
      session({ agentId, startedAt: new Date(n).toISOString() }),
    );
    await live.beat('a', [...own, session(), session()]);
    const page = await live.list(organizationId, { offset: 1, limit: 2, agentId });
    expect(page.total).to.equal(5);
    expect(ids(page.items)).to.deep.equal(ids(own.slice(1, 3)));
    const { conversationId } = own[3]!;
    const one = await live.list(organizationId, { ...everything, conversationId });
    expect(ids(one.items)).to.deep.equal([own[3]!.id]);
  });

  it('are paged the same when there are too many to look at once', async () => {
    const agentId = randomUUID();
    const all = Array.from({ length: 2300 }, (_, n) =>
      session({ startedAt: new Date(n).toISOString(), ...(n % 3 === 0 && { agentId }) }),
    );
    await live.beat('a', all);
    const gone = all.filter((_, n) => n % 7 === 0);
    for (const one of gone) await silence(one, 20_000);
    const alive = all.filter((one) => !gone.includes(one));
    for (const filter of [{}, { agentId }])
      for (const offset of [0, 300, 857, 858, 1500, 1971, 5000]) {
        const expected = alive.filter((one) => !('agentId' in filter) || one.agentId === agentId);
        const page = await live.list(organizationId, { offset, limit: 200, ...filter });
        expect(page.total).to.equal(expected.length);
        expect(ids(page.items)).to.deep.equal(ids(expected.slice(offset, offset + 200)));
      }
  });

  it('are let in up to a limit, of which those of a dead pod take nothing', async () => {
    const [first, second, third, fourth] = [session(), session(), session(), session()];
    const entered = await Promise.all([first, second, third].map((one) => live.enter(one, 2)));
    expect(entered).to.deep.equal([true, true, false]);
    expect(await live.enter(first, 2)).to.equal(true);
    expect(await live.enter(session({ organizationId: randomUUID() }), 2)).to.equal(true);
    expect(await live.count(organizationId)).to.equal(2);
    await silence(first, 16_000);
    expect(await live.count(organizationId)).to.equal(1);
    expect(await live.count(organizationId, 1)).to.equal(1);
    expect(await live.enter(fourth, 2)).to.equal(true);
    expect(await live.enter(third, 2)).to.equal(false);
  });

  it('are not looked at one by one while there are no more of them than matters', async () => {
    const [alive, dead] = [session(), session()];
    for (const one of [alive, dead]) await live.enter(one, 2);
    await silence(dead, 16_000);
    expect(await live.count(organizationId, 2)).to.equal(2);
    expect(await live.count(organizationId, 1)).to.equal(1);
  });

  it('of a pod whose heartbeat is gone disappear, those of another stay', async () => {
    const [dead, alive] = [session(), session()];
    for (const one of [dead, alive]) await live.beat(one.pod, [one]);
    await silence(dead, 16_000);
    expect(ids(await listed())).to.deep.equal([alive.id]);
    expect(await live.revoke(organizationId, dead.id)).to.equal(false);
    await live.beat(dead.pod, [dead]);
    expect(ids(await listed())).to.have.members([dead.id, alive.id]);
  });

  it('that are revoked reach their pod’s channel at once', async () => {
    const own = session();
    await live.beat(own.pod, [own]);
    const subscriber = new Redis(url);
    try {
      await subscriber.subscribe(podChannel(own.pod));
      const heard = once(subscriber, 'message');
      expect(await live.revoke(organizationId, own.id)).to.equal(true);
      expect(await heard).to.deep.equal([podChannel(own.pod), `session ${own.id}`]);
    } finally {
      subscriber.disconnect();
    }
  });

  it('that are revoked are told with every beat, although the hint was lost', async () => {
    const [revoked, other] = [session({ pod: 'a' }), session({ pod: 'a' })];
    expect(await live.beat('a', [revoked, other])).to.deep.equal([]);
    expect(await live.revoke(organizationId, revoked.id)).to.equal(true);
    for (let beat = 0; beat < 2; beat += 1)
      expect(await live.beat('a', [revoked, other])).to.deep.equal([revoked.id]);
    await live.forget(revoked);
    expect(await live.beat('a', [other])).to.deep.equal([]);
  });

  it('are revoked by their own organization, and only while they live', async () => {
    const own = session();
    await live.beat(own.pod, [own]);
    expect(await live.revoke(randomUUID(), own.id)).to.equal(false);
    expect(await live.revoke(organizationId, randomUUID())).to.equal(false);
    await live.forget(own);
    expect(await live.revoke(organizationId, own.id)).to.equal(false);
    expect(await live.beat(own.pod, [own])).to.deep.equal([]);
  });

  it('are known again one beat after Redis lost its data', async () => {
    const own = Array.from({ length: 1200 }, () => session({ pod: 'a' }));
    await live.beat('a', own);
    await redis.flushdb();
    expect(await listed()).to.deep.equal([]);
    await live.beat('a', own);
    expect((await live.list(organizationId, everything)).total).to.equal(1200);
  });

  it('survive a beat without any, and a server that forgot the scripts', async () => {
    expect(await live.beat('a', [])).to.deep.equal([]);
    const own = session();
    await live.beat('a', [own]);
    await redis.script('FLUSH');
    expect(ids(await listed())).to.deep.equal([own.id]);
  });

  describe('whose pod is silent', () => {
    /** As if the watch had begun, and had last been kept, so long ago. */
    const watched = async (sinceMs: number, lastMs: number) => {
      const [seconds, micros] = await redis.time();
      const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      await redis.set(liveKeys.watch, `${now - sinceMs} ${now - lastMs}`);
    };

    it('are lost when they were watched all the while', async () => {
      const [silent, heard] = [session(), session()];
      await live.beat('a', [silent, heard]);
      await silence(silent, 31_000);
      await watched(40_000, 10_000);
      expect(ids(await live.lost(10))).to.deep.equal([silent.id]);
    });

    it('are not lost after an outage of Redis, until their pods had time to be heard', async () => {
      const silent = session();
      await live.beat('a', [silent]);
      await silence(silent, 90_000);
      await watched(900_000, 60_000);
      expect(await live.lost(10)).to.deep.equal([]);
      await watched(20_000, 10_000);
      expect(await live.lost(10)).to.deep.equal([]);
      await watched(31_000, 10_000);
      expect(ids(await live.lost(10))).to.deep.equal([silent.id]);
    });

    it('are not lost on the first look, nor after nonsense in the watch', async () => {
      const silent = session();
      await live.beat('a', [silent]);
      await silence(silent, 90_000);
      expect(await live.lost(10)).to.deep.equal([]);
      await redis.set(liveKeys.watch, 'x');
      expect(await live.lost(10)).to.deep.equal([]);
    });

    it('are given up once, and their pod learns it should it come back', async () => {
      const silent = session({ pod: 'a' });
      await live.beat('a', [silent]);
      await silence(silent, 31_000);
      await watched(40_000, 10_000);
      const [lost] = await live.lost(10);
      await live.giveUp(lost!);
      expect(await live.lost(10)).to.deep.equal([]);
      expect(await live.beat('a', [silent])).to.deep.equal([silent.id]);
    });

    it('are remembered as given up for a day', async () => {
      const [old, young] = [session(), session()];
      for (const one of [old, young]) await live.giveUp(one);
      await redis.zincrby(liveKeys.revoked, -25 * 60 * 60 * 1000, old.id);
      await redis.zincrby(liveKeys.revoked, -23 * 60 * 60 * 1000, young.id);
      const last = session();
      await live.giveUp(last);
      expect(await redis.zrange(liveKeys.revoked, '0', '-1')).to.deep.equal([young.id, last.id]);
    });
  });
});
