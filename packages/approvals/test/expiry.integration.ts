import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { createApprovalDesk } from '#src/approval-desk.js';
import { by, DeskScene } from './support/desk-scene.js';

describe('the approval desk, after a deadline', () => {
  let scene: DeskScene;
  before(async () => (scene = await DeskScene.open()));
  beforeEach(() => scene.begin());
  after(() => scene.close());

  it('expires what is due, finishes it readably, and blames nobody', async () => {
    const call = await scene.waitingCall(0);
    expect(await scene.desk.expire(call.id)).to.deep.equal({ outcome: 'settled' });
    expect(await scene.desk.expire(call.id)).to.deep.equal({ outcome: 'settled' });
    const row = await scene.stored(call.id);
    expect(row).to.include({ approval: 'expired', status: 'failed', decidedBy: null });
    expect(row.result).to.match(/timed out/);
    expect(row.finishedAt).to.be.instanceOf(Date);
    expect(await scene.auditOf(call.id)).to.deep.equal([]);
    const [decisions] = await scene.counted('parley_approval_decisions_total');
    expect(decisions).to.deep.include({ value: 1, labels: { outcome: 'expired' } });
  });

  it('expires all that is due when one alarm rings, also of other organizations', async () => {
    const calls = [
      await scene.waitingCall(0),
      await scene.waitingCall(0),
      await scene.waitingCall(0),
    ];
    const neighbour = await scene.neighbour();
    const theirs = await neighbour.waitingCall(0);
    await scene.desk.expire(calls[0]!.id);
    expect(await neighbour.stored(theirs.id)).to.include({ approval: 'expired' });
    for (const { id } of calls) expect(await scene.stored(id)).to.include({ approval: 'expired' });
    expect(await scene.desk.expireDue()).to.equal(0);
  });

  it('expires more than fit into one transaction', async () => {
    const runIds = Array.from({ length: 205 }, () => randomUUID());
    const due = { status: 3, approval: 'waiting', deadline: new Date() } as const;
    const call = { ...scene.ids, ...due, callId: 'call', name: 'pay', arguments: '{}' };
    await scene.work(({ trx }) =>
      trx
        .insertInto('toolCalls')
        .values(runIds.map((runId) => ({ ...call, runId })))
        .execute(),
    );
    const rivals = [scene.desk, createApprovalDesk(scene.options())];
    const expired = await Promise.all(rivals.map((rival) => rival.expireDue()));
    expect(expired[0]! + expired[1]!).to.equal(runIds.length);
    await waitFor(() => scene.resumed.length >= runIds.length, { what: 'every question to go on' });
    expect(scene.resumed).to.have.members(runIds);
  });

  it('tells how early it is', async () => {
    const call = await scene.waitingCall(60_000);
    const early = await scene.desk.expire(call.id);
    expect(early.outcome).to.equal('early');
    expect((early as { remainingMs: number }).remainingMs).to.be.within(1, 60_000);
    expect(await scene.stored(call.id)).to.include({ approval: 'waiting' });
  });

  it('rings again soon for what somebody is deciding at that moment', async () => {
    const call = await scene.waitingCall(0);
    await scene.work(async ({ trx }) => {
      await trx
        .selectFrom('toolCalls')
        .select('id')
        .where('id', '=', call.id)
        .forUpdate()
        .execute();
      expect(await scene.desk.expire(call.id)).to.deep.equal({
        outcome: 'early',
        remainingMs: 100,
      });
    });
    expect(await scene.desk.expire(call.id)).to.deep.equal({ outcome: 'settled' });
  });

  it('has nothing to expire for an id that it does not know', async () => {
    expect(await scene.desk.expire(randomUUID())).to.deep.equal({ outcome: 'settled' });
  });

  it('resumes a suspended question, and leaves its call to it', async () => {
    const call = await scene.waitingCall(0, randomUUID());
    await scene.desk.expire(call.id);
    expect(await scene.stored(call.id)).to.include({ approval: 'expired', finishedAt: null });
    const other = await scene.waitingCall(60_000, randomUUID());
    await scene.desk.decide(other, 'approved', by);
    expect(scene.resumed).to.deep.equal([call.runId, other.runId]);
  });

  it('expires what is decided too late', async () => {
    const call = await scene.waitingCall(0);
    expect(await scene.desk.decide(call, 'approved', by)).to.equal(false);
    expect(await scene.stored(call.id)).to.include({
      approval: 'expired',
      status: 'failed',
      decidedBy: null,
    });
    expect(await scene.auditOf(call.id)).to.deep.equal([]);
  });
});
