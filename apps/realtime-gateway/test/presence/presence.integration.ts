import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { connectRedis, createLiveSessions } from '@parley/session-store';
import type { LiveSessions, Redis } from '@parley/session-store';
import { testRedis, waitFor } from '@parley/testkit';
import { Presence } from '#src/presence/presence.js';

const never = 1_000_000;
const all = { offset: 0, limit: 100 };

describe('the presence of sessions', () => {
  let redis: Redis;
  let live: LiveSessions;
  let presence: Presence;
  const organizationId = randomUUID();
  const errors: unknown[] = [];

  beforeEach(async () => {
    redis = await connectRedis({ url: (await testRedis()).url, name: 'test' });
    live = createLiveSessions(redis);
    const onError = (err: unknown) => errors.push(err);
    const unusableOpeners = () => Promise.resolve(new Set<string>());
    presence = new Presence({ live, unusableOpeners, pod: 'pod-1', onError, beatMs: never });
  });
  afterEach(async () => {
    await presence.close();
    redis.disconnect();
    expect(errors).to.be.empty;
  });

  const session = () => ({
    id: randomUUID(),
    organizationId,
    agentId: randomUUID(),
    conversationId: randomUUID(),
    pod: 'pod-1',
    startedAt: new Date().toISOString(),
  });
  const ids = async () => (await live.list(organizationId, all)).items.map(({ id }) => id);

  it('is told with each beat, and no longer than it lasts', async () => {
    const [first, second] = [session(), session()];
    presence.enter(first, { openerId: 'k', onRevoked: () => undefined });
    presence.enter(second, { openerId: 'k', onRevoked: () => undefined });
    void presence.leave(first.id);
    presence.beat();
    await presence.close();
    expect(await ids()).to.deep.equal([second.id]);
    expect((await live.list(organizationId, all)).items[0]).to.have.property('pod', 'pod-1');
  });

  it('keeps one registered that nobody beats for any more, until it is lost', async () => {
    const [abandoned, forgotten] = [session(), session()];
    for (const one of [abandoned, forgotten])
      presence.enter(one, { openerId: 'k', onRevoked: () => undefined });
    presence.beat();
    presence.abandon(abandoned.id);
    presence.abandon(forgotten.id);
    await live.beat('pod-1', [abandoned]);
    presence.beat();
    await presence.close();
    expect(await ids()).to.deep.equal([abandoned.id]);
  });

  it('ends when a session is revoked: at a hint, or with the next beat', async () => {
    const [hinted, unheard] = [session(), session()];
    const revoked: string[] = [];
    for (const one of [hinted, unheard])
      presence.enter(one, { openerId: 'k', onRevoked: () => revoked.push(one.id) });
    await live.beat('pod-1', [hinted, unheard]);
    expect(await live.revoke(organizationId, hinted.id)).to.equal(true);
    expect(await live.revoke(organizationId, unheard.id)).to.equal(true);
    presence.look(hinted.id);
    await waitFor(() => revoked[0], { what: 'the hint' });
    expect(revoked).to.deep.equal([hinted.id]);
    void presence.leave(hinted.id);
    presence.beat();
    await waitFor(() => revoked[1], { what: 'the beat' });
    expect(revoked).to.deep.equal([hinted.id, unheard.id]);
  });

  it('ends what a key opened that is not usable any more, also while Redis is away', async () => {
    const [gone, kept] = [session(), session()];
    const away = () => Promise.reject(new Error('away'));
    const failures: unknown[] = [];
    const alone = new Presence({
      live: { beat: away, forget: away },
      unusableOpeners: (ids) => Promise.resolve(new Set(ids.filter((id) => id === 'g'))),
      pod: 'pod-2',
      onError: (err) => failures.push(err),
      beatMs: never,
    });
    const revoked: string[] = [];
    alone.enter(gone, { openerId: 'g', onRevoked: () => revoked.push(gone.id) });
    alone.enter(kept, { openerId: 'k', onRevoked: () => revoked.push(kept.id) });
    alone.beat();
    await alone.close();
    await waitFor(() => revoked[0], { what: 'the end of what the key opened' });
    expect(revoked).to.deep.equal([gone.id]);
    expect(failures).not.to.be.empty;
  });

  it('goes on being told while the record does not answer, and asks it no second time', async () => {
    const one = session();
    let asked = 0;
    const patient = new Presence({
      live,
      unusableOpeners: () => ((asked += 1), new Promise(() => undefined)),
      pod: 'pod-3',
      onError: (err) => errors.push(err),
      beatMs: never,
    });
    patient.enter(one, { openerId: 'k', onRevoked: () => undefined });
    patient.beat();
    patient.beat();
    await patient.close();
    expect(await ids()).to.include(one.id);
    expect(asked).to.equal(1);
  });

  it('tells nothing about sessions that are not here', async () => {
    presence.look(randomUUID());
    void presence.leave(randomUUID());
    presence.beat();
    await presence.close();
    expect(await ids()).to.be.empty;
  });
});
