import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { violatedConstraint } from '#src/postgres/availability.js';
import { approvers } from '@parley/protocol';
import { decideToolCall, expireDueApprovals, openApproval } from '#src/calls/approval-decisions.js';
import { cancelSessionCalls } from '#src/calls/cancel-calls.js';
import { insertConversation } from '#src/conversations/conversations.js';
import { deleteConversations } from '#src/conversations/delete-conversations.js';
import { finishedToolCalls } from '#src/calls/finished-tool-calls.js';
import { listMessages } from '#src/conversations/list-messages.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { endRealtimeSession } from '#src/conversations/realtime-sessions.js';
import { endRun } from '#src/questions/run-endings.js';
import { insertRun } from '#src/questions/runs.js';
import { claimToolCall, finishToolCall, recordToolCall } from '#src/calls/tool-calls.js';
import { calledTools, type CalledTools } from './support/called-tools.js';

const somebody = { kind: 'key', id: randomUUID(), name: 'backend' } as const;
const success = {
  status: 'succeeded',
  result: { paid: true },
  text: 'Paid.',
  executionMs: 12,
} as const;

describe('a tool call', () => {
  let world: CalledTools;

  before(async () => {
    world = await calledTools();
  });
  after(() => world.drop());

  const claim = (id: string) => world.work((scope) => claimToolCall(scope, id));
  const finish = (id: string) => world.work((scope) => finishToolCall(scope, id, success));
  const open = (id: string, timeoutMs = 60_000) =>
    world.work((scope) => openApproval(scope, id, { timeoutMs, approvers, owner: null }));
  const expireDue = () => world.database.asSystem((system) => expireDueApprovals(system, 1000));
  const decide = async (id: string, approval: 'approved' | 'rejected' | 'cancelled') => {
    const decision = approval === 'cancelled' ? { approval, by: null } : { approval, by: somebody };
    const decided = await world.work((scope) => decideToolCall(scope, id, decision));
    return decided?.approval;
  };
  const endSession = (id: string) =>
    world.work((scope) =>
      endRealtimeSession(scope, {
        id,
        endedAt: performance.now(),
        endReason: 'Normal',
        closeCode: 1000,
        bytesFromClient: 0,
        bytesFromProvider: 0,
      }),
    );

  it('is recorded with its message once, however often it is told', async () => {
    const call = await world.record();
    await world.work((scope) => recordToolCall(scope, { ...call, name: 'other' }));
    expect(await world.stored(call.id)).to.include({
      name: 'pay',
      status: 'pending',
      approval: null,
    });
    expect(await world.message(call)).to.deep.equal({
      role: 'tool',
      content: '',
      status: 'in_progress',
    });
  });

  it('keeps its arguments as they were written, whatever is in them', async () => {
    const written = { z: 1, a: 'NUL \0 and half of a pair \ud800', __proto: [1e21, -0.5] };
    const { id } = await world.record({ arguments: written });
    const { arguments: read } = await world.stored(id);
    expect(JSON.stringify(read)).to.equal(JSON.stringify(written));
    const text = await world.record({ arguments: '{"broken":' });
    expect((await world.stored(text.id)).arguments).to.equal('{"broken":');
  });

  it('is refused under a call id that its session knows, and leaves no message', async () => {
    const sessionId = await world.newSession();
    await world.record({ sessionId, callId: 'call_1' });
    const twin = world.newCall({ sessionId, callId: 'call_1' });
    const failure: unknown = await world
      .work((scope) => recordToolCall(scope, twin))
      .catch((error: unknown) => error);
    expect(violatedConstraint(failure)).to.equal('tool_calls_session');
    const left = await world.work(({ trx }) =>
      trx.selectFrom('messages').select('id').where('id', '=', twin.messageId).execute(),
    );
    expect(left).to.deep.equal([]);
  });

  it('of a sub-agent may bear any call id', async () => {
    const sessionId = await world.newSession();
    const { id: parentId } = await world.record({ sessionId, callId: 'call_1' });
    const twins = [
      await world.record({ sessionId, parentId, callId: 'call_1' }),
      await world.record({ sessionId, parentId, callId: 'call_1' }),
    ];
    expect(new Set([parentId, ...twins.map(({ id }) => id)])).to.have.property('size', 3);
  });

  it('is claimed by one of many', async () => {
    const { id } = await world.record();
    const claims = await Promise.all(Array.from({ length: 30 }, () => claim(id)));
    expect(claims.filter(Boolean)).to.have.length(1);
    expect(await claim(id)).to.equal(false);
  });

  it('that waits is claimed once it is approved, and not before', async () => {
    const { id } = await world.waiting();
    expect(await world.stored(id)).to.include({ status: 'waiting', approval: 'waiting' });
    expect(await claim(id)).to.equal(false);
    expect(await decide(id, 'approved')).to.equal('approved');
    const approved = await world.stored(id);
    expect(approved).to.include({ status: 'pending', approval: 'approved' });
    expect(approved.decidedBy).to.deep.equal(somebody);
    expect(await claim(id)).to.equal(true);
  });

  for (const approval of ['rejected', 'cancelled'] as const)
    it(`that is ${approval} is never claimed, nor decided again`, async () => {
      const { id } = await world.waiting();
      expect(await decide(id, approval)).to.equal(approval);
      expect(await decide(id, 'approved')).to.equal(undefined);
      expect(await claim(id)).to.equal(false);
      expect(await world.stored(id)).to.include({ approval, status: 'failed' });
    });

  for (const verdict of ['approved', 'rejected'] as const)
    it(`that is ${verdict} too late expires instead, with nobody’s name`, async () => {
      const { id } = await world.waiting({}, 0);
      expect(await decide(id, verdict)).to.equal('expired');
      expect(await decide(id, 'approved')).to.equal(undefined);
      expect(await claim(id)).to.equal(false);
      const stored = await world.stored(id);
      expect(stored).to.include({ approval: 'expired', status: 'failed', decidedBy: null });
      expect(stored.finishedAt).to.equal(null);
    });

  it('can be cancelled though its time is over', async () => {
    const { id } = await world.waiting({}, -1);
    expect(await decide(id, 'cancelled')).to.equal('cancelled');
  });

  it('is decided by one of many', async () => {
    for (const seconds of [300, 0]) {
      const { id } = await world.waiting({}, seconds);
      const ways = ['approved', 'rejected', 'cancelled'] as const;
      const decisions = await Promise.all([
        ...Array.from({ length: 40 }, (_, n) => decide(id, ways[n % 3]!)),
        expireDue().then((expired) => expired.find((call) => call.id === id)?.approval),
      ]);
      const [first, ...others] = decisions.filter((became) => became !== undefined);
      expect(others).to.deep.equal([]);
      expect(await world.stored(id)).to.include({ approval: first });
    }
  });

  it('waits until a deadline on PostgreSQL’s clock, which it keeps when it is opened again', async () => {
    const { id } = await world.record();
    const now = () =>
      world.work(
        async ({ trx }) => (await sql<{ now: Date }>`select now()`.execute(trx)).rows[0]!.now,
      );
    const before = await now();
    const deadline = await open(id, 5000);
    expect(deadline.getTime()).to.be.within(
      before.getTime() + 5000,
      (await now()).getTime() + 5000,
    );
    expect(await open(id, 1)).to.deep.equal(deadline);
    expect((await world.stored(id)).deadline).to.deep.equal(deadline);
  });

  it('does not wait again once it was decided or has begun', async () => {
    const decided = await world.waiting();
    await decide(decided.id, 'rejected');
    await open(decided.id);
    expect(await world.stored(decided.id)).to.include({ approval: 'rejected' });
    const begun = await world.record();
    await claim(begun.id);
    const refused: unknown = await open(begun.id).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
    expect(await world.stored(begun.id)).to.include({ approval: null, status: 'pending' });
  });

  it('is decided only while it waits', async () => {
    const { id } = await world.record();
    expect(await decide(id, 'approved')).to.equal(undefined);
    expect(await decide(randomUUID(), 'approved')).to.equal(undefined);
  });

  it('that ended before it was decided keeps its end', async () => {
    const [{ id }, due] = [await world.waiting(), await world.waiting({}, 0)];
    for (const call of [id, due.id]) await finish(call);
    expect(await decide(id, 'approved')).to.equal('approved');
    expect(await world.stored(id)).to.include({ status: 'succeeded', approval: 'approved' });
    await expireDue();
    expect(await world.stored(due.id)).to.include({ status: 'succeeded', approval: 'expired' });
    expect(await world.message(due)).to.include({ content: 'Paid.' });
  });

  it('is finished once, with its message', async () => {
    const call = await world.record();
    await claim(call.id);
    expect(await finish(call.id)).to.equal(true);
    const end = { status: 'failed', result: null, text: 'Too late.', executionMs: null } as const;
    expect(await world.work((scope) => finishToolCall(scope, call.id, end))).to.equal(false);
    const stored = await world.stored(call.id);
    expect(stored).to.include({ status: 'succeeded', executionMs: 12 });
    expect(stored.result).to.deep.equal({ paid: true });
    expect(await world.message(call)).to.include({ content: 'Paid.', status: 'completed' });
    expect(await claim(call.id)).to.equal(false);
  });

  it('that somebody has claimed is not told as one that was not run', async () => {
    const [claimed, unclaimed] = [await world.record(), await world.record()];
    await claim(claimed.id);
    const notRun = {
      status: 'failed',
      result: 'No.',
      text: 'No.',
      executionMs: null,
      notRun: true,
    } as const;
    const end = (id: string) => world.work((scope) => finishToolCall(scope, id, notRun));
    expect(await end(claimed.id)).to.equal(false);
    expect(await finish(claimed.id)).to.equal(true);
    expect(await end(unclaimed.id)).to.equal(true);
    expect(await claim(unclaimed.id)).to.equal(false);
  });

  it('may end with text that PostgreSQL would refuse', async () => {
    const call = await world.record();
    const ugly = 'a\0b \udfff';
    const end = { status: 'failed', result: { ugly }, text: ugly, executionMs: 1 } as const;
    await world.work((scope) => finishToolCall(scope, call.id, end));
    expect((await world.stored(call.id)).result).to.deep.equal({ ugly });
    expect((await world.message(call)).content).to.match(/^ab /);
  });

  it('is not claimed after the end of its session', async () => {
    const sessionId = await world.newSession();
    const { id } = await world.record({ sessionId });
    await endSession(sessionId);
    expect(await claim(id)).to.equal(false);
  });

  it('does not wait after the end of its session or question', async () => {
    const sessionId = await world.newSession();
    const runId = randomUUID();
    const { agentId, conversationId } = world;
    const run = { id: runId, agentId, conversationId, keyId: null, watcher: null, run: {} };
    await world.work((scope) => insertRun(scope, { ...run, owner: randomUUID(), leaseMs: 60_000 }));
    const calls = [await world.record({ sessionId }), await world.record({ runId })];
    await endSession(sessionId);
    await world.work((scope) => endRun(scope, runId, 'Over.'));
    for (const { id } of calls) {
      const refused: unknown = await open(id).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(Error);
      expect(await world.stored(id)).to.include({ approval: null, deadline: null });
    }
  });

  it('is nobody else’s to change', async () => {
    const { id } = await world.waiting();
    const other = await world.database.asSystem((system) =>
      insertOrganization(system, { name: 'Other' }),
    );
    const outside = { approval: 'approved', by: null } as const;
    expect(
      await world.database.inOrganization(other.id, (scope) => decideToolCall(scope, id, outside)),
    ).to.equal(undefined);
    expect(await world.stored(id)).to.include({ approval: 'waiting' });
  });

  it('ends with its session: what waited is cancelled, what ran has an unknown outcome', async () => {
    const sessionId = await world.newSession();
    const [waiting, approved, running, done, elsewhere] = [
      await world.waiting({ sessionId }),
      await world.waiting({ sessionId }),
      await world.record({ sessionId }),
      await world.record({ sessionId }),
      await world.waiting({ sessionId: await world.newSession() }),
    ];
    await decide(approved.id, 'approved');
    await claim(running.id);
    await finish(done.id);
    const cancel = () => world.work((scope) => cancelSessionCalls(scope, sessionId));
    expect(await cancel()).to.equal(3);
    expect(await cancel()).to.equal(0);
    expect(await world.stored(waiting.id)).to.include({ approval: 'cancelled', status: 'failed' });
    expect((await world.stored(waiting.id)).result).to.match(/not run/);
    expect(await world.stored(approved.id)).to.include({ approval: 'approved', status: 'failed' });
    expect((await world.stored(approved.id)).result).to.match(/before the tool was run/);
    expect((await world.stored(running.id)).result).to.match(/outcome is unknown/);
    expect(await world.message(running)).to.include({ status: 'failed' });
    expect(await world.stored(done.id)).to.include({ status: 'succeeded' });
    expect(await world.stored(elsewhere.id)).to.include({ approval: 'waiting' });
    for (const { id } of [waiting, approved, running]) expect(await claim(id)).to.equal(false);
  });

  it('of a sub-agent is listed with its message, and is not replayed to the model', async () => {
    const { id: conversationId } = await world.work((scope) =>
      insertConversation(scope, world.agentId),
    );
    const outer = await world.record({ conversationId, callId: 'outer' });
    const inner = await world.record({ conversationId, callId: 'inner', parentId: outer.id });
    await finish(outer.id);
    await finish(inner.id);
    const [replayed, { items }] = await world.work(async (scope) => [
      await finishedToolCalls(scope, { conversationId, after: 0 }, 10),
      await listMessages(scope, conversationId, { offset: 0, limit: 10 }),
    ]);
    expect(replayed.map(({ callId }) => callId)).to.deep.equal(['outer']);
    const calls = new Map(items.map(({ toolCall }) => [toolCall?.callId, toolCall]));
    expect(calls.get('inner')).to.include({ parentId: outer.id, agentId: world.agentId });
    expect(calls.get('outer')).to.include({ parentId: null, status: 'succeeded' });
    await world.work((scope) => deleteConversations(scope, [conversationId]));
    expect(await world.stored(inner.id)).to.equal(undefined);
  });
});
