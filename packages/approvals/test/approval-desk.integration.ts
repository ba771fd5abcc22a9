import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { cancelSessionCalls, claimToolCall, connectDatabase } from '@parley/database';
import { podChannel } from '@parley/session-store';
import { waitFor } from '@parley/testkit';
import { createApprovalDesk } from '#src/approval-desk.js';
import { by, DeskScene } from './support/desk-scene.js';

describe('the approval desk', () => {
  let scene: DeskScene;
  before(async () => (scene = await DeskScene.open()));
  beforeEach(() => scene.begin());
  after(() => scene.close());

  it('opens an approval and sets its timer', async () => {
    const { id, deadline } = await scene.waitingCall(60_000);
    expect(await scene.stored(id)).to.deep.include({
      approval: 'waiting',
      status: 'waiting',
      deadline,
    });
    expect(scene.timers.get(id)).to.deep.equal(deadline);
  });

  it('opens an approval whose timer cannot be set, and says so', async () => {
    const away = new Error('Redis is away');
    const { producer } = scene.options();
    scene.desk = createApprovalDesk({
      ...scene.options(),
      producer: { ...producer, expireApproval: () => Promise.reject(away) },
    });
    const { id } = await scene.waitingCall(60_000);
    expect(await scene.stored(id)).to.include({ approval: 'waiting' });
    expect(scene.errors).to.deep.equal([away]);
  });

  for (const decision of ['approved', 'rejected'] as const)
    it(`records, audits and tells the owner that a call was ${decision}`, async () => {
      const call = await scene.waitingCall(60_000);
      const subscriber = new Redis(scene.stores.redisUrl);
      await subscriber.subscribe(podChannel(call.owner));
      const heard = once(subscriber, 'message');
      expect(await scene.desk.decide(call, decision, by)).to.equal(true);
      expect(await heard).to.deep.equal([podChannel(call.owner), `approval ${call.id}`]);
      subscriber.disconnect();
      const row = await scene.stored(call.id);
      expect(row).to.include({ approval: decision, finishedAt: null });
      expect(row.decidedBy).to.deep.equal(by);
      expect(await scene.auditOf(call.id)).to.deep.equal([
        { action: `approval.${decision}`, actor: by },
      ]);
      expect(await scene.desk.decide(call, 'rejected', by)).to.equal(false);
      expect(await scene.auditOf(call.id)).to.have.length(1);
      expect(await scene.counted('parley_approval_hints_unheard_total')).to.have.length(0);
    });

  it('counts decisions that nobody heard', async () => {
    await scene.desk.decide(await scene.waitingCall(60_000), 'approved', by);
    await waitFor(
      async () => (await scene.counted('parley_approval_hints_unheard_total')).length === 1,
      {
        what: 'the count',
      },
    );
    expect(scene.errors).to.be.empty;
  });

  it('decides though nobody can be told', async () => {
    const away = new Error('Redis is away');
    const call = await scene.waitingCall(60_000);
    const alone = createApprovalDesk({
      ...scene.options(),
      redis: { publish: () => Promise.reject(away) },
    });
    expect(await alone.decide(call, 'approved', by)).to.equal(true);
    await waitFor(() => scene.errors.length > 0, { what: 'the report' });
    expect(scene.errors).to.deep.equal([away]);
    expect(await scene.stored(call.id)).to.include({ approval: 'approved' });
  });

  it('cancels once, and nobody can approve any more', async () => {
    const call = await scene.waitingCall(60_000);
    await scene.desk.cancel(call);
    await scene.desk.cancel(call);
    expect(await scene.desk.decide(call, 'approved', by)).to.equal(false);
    expect(await scene.stored(call.id)).to.include({
      approval: 'cancelled',
      status: 'failed',
      decidedBy: null,
    });
    const [decisions] = await scene.counted('parley_approval_decisions_total');
    expect(decisions).to.deep.include({ value: 1, labels: { outcome: 'cancelled' } });
  });

  it('measures how old each approval was when it was decided, once', async () => {
    const [approved, expired, late] = [
      await scene.waitingCall(60_000),
      await scene.waitingCall(0),
      await scene.waitingCall(60_000),
    ];
    for (const verdict of ['approved', 'rejected'] as const)
      await scene.desk.decide(approved, verdict, by);
    await scene.desk.expire(expired.id);
    await scene.work(({ trx }) =>
      trx
        .updateTable('toolCalls')
        .set({ deadline: new Date(0) })
        .where('id', '=', late.id)
        .execute(),
    );
    for (const verdict of ['approved', 'rejected'] as const)
      await scene.desk.decide(late, verdict, by);
    const text = await scene.registry.metrics();
    for (const [outcome, count] of Object.entries({ approved: 1, rejected: 0, expired: 2 }))
      expect(text).to.match(
        new RegExp(`^parley_approval_age_seconds_count\\{outcome="${outcome}"\\} ${count}$`, 'm'),
      );
    expect(text).to.match(/^parley_approval_expiry_late_seconds_count 2$/m);
  });

  it('approves nothing that its session took along', async () => {
    const call = await scene.waitingCall(60_000);
    await scene.work((scope) => cancelSessionCalls(scope, call.sessionId!));
    expect(await scene.desk.decide(call, 'approved', by)).to.equal(false);
    expect(await scene.stored(call.id)).to.include({ approval: 'cancelled', status: 'failed' });
  });

  it('decides nothing for another organization', async () => {
    const call = await scene.waitingCall(60_000);
    const stranger = { id: call.id, organizationId: randomUUID() };
    expect(await scene.desk.decide(stranger, 'approved', by)).to.equal(false);
    await scene.desk.cancel(stranger);
    expect(await scene.stored(call.id)).to.include({ approval: 'waiting' });
  });

  it('decides and expires what a former version opened, and tells nobody', async () => {
    const [approved, due] = [await scene.newCall(), await scene.newCall()];
    const open = (id: string, deadline: Date) =>
      scene.work(({ trx }) =>
        trx
          .updateTable('toolCalls')
          .set({ status: 3, approval: 'waiting', deadline, approvers: ['client', 'api'] })
          .where('id', '=', id)
          .execute(),
      );
    await open(approved.id, new Date(Date.now() + 60_000));
    await open(due.id, new Date(Date.now() - 1000));
    expect(await scene.desk.decide(approved, 'approved', by)).to.equal(true);
    expect(await scene.work((scope) => claimToolCall(scope, approved.id))).to.equal(true);
    expect(await scene.desk.expire(due.id)).to.deep.equal({ outcome: 'settled' });
    expect(await scene.stored(due.id)).to.include({ approval: 'expired', status: 'failed' });
    expect(await scene.work((scope) => claimToolCall(scope, due.id))).to.equal(false);
    expect(await scene.counted('parley_approval_hints_unheard_total')).to.be.empty;
  });

  it('decides each once, of 60 attempts in three processes', async () => {
    const databases = [1, 2, 3].map(() => connectDatabase({ url: scene.stores.db.url }));
    const rivals = databases.map((database) => createApprovalDesk(scene.options(database)));
    for (let n = 0; n < 10; n += 1) {
      // Some are due in the middle of the race.
      const call = await scene.waitingCall(n % 2 === 0 ? 20 : 60_000);
      const race = Array.from({ length: 60 }, async (_, attempt) => {
        const rival = rivals[attempt % 3]!;
        if (attempt % 4 === 3) return rival.expire(call.id).then(() => undefined);
        const verdict = (n + attempt) % 2 === 0 ? 'approved' : 'rejected';
        return (await rival.decide(call, verdict, by)) ? verdict : undefined;
      });
      const won = (await Promise.all(race)).filter((verdict) => verdict !== undefined);
      const { approval } = await scene.stored(call.id);
      expect(won).to.deep.equal(approval === 'expired' ? [] : [approval]);
      expect(await scene.auditOf(call.id)).to.have.length(won.length);
    }
    await Promise.all(databases.map((database) => database.close()));
  });
});
