import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { sql } from 'kysely';
import { approvers } from '@parley/protocol';
import { adoptSessionCalls } from '#src/calls/adopt-calls.js';
import { decideToolCall, openApproval } from '#src/calls/approval-decisions.js';
import { cancelSessionCalls } from '#src/calls/cancel-calls.js';
import {
  claimToolCall,
  recordToolCall,
  resumeToolCall,
  suspendToolCall,
} from '#src/calls/tool-calls.js';
import { movedSessions } from '#src/conversations/moved-sessions.js';
import {
  forbidTakeOver,
  keepTicket,
  takeOverSession,
  type TakenOver,
} from '#src/conversations/realtime-sessions.js';
import {
  endLostSession,
  endUnclaimedSessions,
  sessionsWithOpenCalls,
} from '#src/conversations/retention.js';
import { writeChanges, type RecordChange } from '#src/journal/record-changes.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { isDatabaseUnavailable } from '#src/postgres/availability.js';
import type { Announced } from '#src/webhooks/announced.js';
import { calledTools, type CalledTools } from './support/called-tools.js';

describe('a session that another pod takes over', () => {
  let world: CalledTools;
  before(async () => void (world = await calledTools()));
  after(() => world.drop());

  const ticket = { voice: 'alloy', clientTools: [] };
  const resumable = async (): Promise<string> => {
    const id = await world.newSession();
    await world.work((scope) => keepTicket(scope, { id, ticket }));
    return id;
  };
  const takeOver = (id: string, changes: object = {}): Promise<TakenOver> => {
    const { agentId, conversationId } = world;
    const to = randomUUID();
    return world.work((scope) =>
      takeOverSession(scope, { id, agentId, conversationId, to, ...changes }),
    );
  };
  const ticketOf = (taken: TakenOver) => (taken.outcome === 'taken' ? taken.ticket : taken);
  const over = { outcome: 'over' };
  const end = (id: string, endReason: string): RecordChange => {
    const bytes = { bytesFromClient: 0, bytesFromProvider: 0 };
    return {
      kind: 'end',
      end: { id, endReason, closeCode: 1012, endedAt: performance.now(), ...bytes },
    };
  };
  const message = (sessionId: string): RecordChange => {
    const { conversationId } = world;
    const ids = { id: randomUUID(), conversationId, sessionId, itemId: null, contentIndex: 0 };
    const said = { role: 'user', content: 'Hello', status: 'completed', usage: null } as const;
    const heard = { interrupted: false, audioEndMs: null, createdAt: new Date() };
    const position = Date.now() * 1000;
    return { kind: 'message', message: { ...ids, ...said, ...heard, position } };
  };

  it('is so although its pod stands still in the middle of writing, which then has no effect', async () => {
    const id = await resumable();
    const pod = new EventEmitter();
    const writing = world.work(async (scope) => {
      await movedSessions(scope, [id]);
      pod.emit('still');
      await once(pod, 'awake');
      await writeChanges(scope, [message(id)]);
    });
    await once(pod, 'still');
    expect((await takeOver(id)).outcome).to.equal('taken');
    pod.emit('awake');
    const failure: unknown = await writing.catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).to.equal(true);
  });

  it('is so once, and only if it is resumable, not over, and its own organization’s', async () => {
    const id = await resumable();
    for (const wrong of [{ agentId: randomUUID() }, { conversationId: randomUUID() }])
      expect(await takeOver(id, wrong)).to.deep.equal(over);
    const other = await world.database.asSystem((system) =>
      insertOrganization(system, { name: 'Other' }),
    );
    const { agentId, conversationId } = world;
    const byOther = await world.database.inOrganization(other.id, (scope) =>
      takeOverSession(scope, { id, agentId, conversationId, to: randomUUID() }),
    );
    expect(byOther).to.deep.equal(over);
    const [first, second] = [randomUUID(), randomUUID()];
    const both = await Promise.all([takeOver(id, { to: first }), takeOver(id, { to: second })]);
    const [winner, loser] = both[0].outcome === 'taken' ? both : both.toReversed();
    expect(ticketOf(winner!)).to.deep.equal(ticket);
    const to = winner === both[0] ? first : second;
    expect(loser).to.deep.equal({ outcome: 'moved', to });
    expect(await takeOver(await world.newSession())).to.deep.equal(over);
    const ended = await resumable();
    await world.work((scope) => writeChanges(scope, [end(ended, 'Normal')]));
    expect(await takeOver(ended)).to.deep.equal(over);
  });

  it('is not one that was forbidden to be continued, which comes too late for one that moved', async () => {
    const forbid = (id: string) => world.work((scope) => forbidTakeOver(scope, id));
    const [forbidden, moved] = [await resumable(), await resumable()];
    await takeOver(moved);
    expect([await forbid(forbidden), await forbid(moved)]).to.deep.equal([true, false]);
    expect(await takeOver(forbidden)).to.deep.equal(over);
  });

  it('ends under its own ids, though they were asked for in capitals', async () => {
    const announced: Announced[] = [];
    world.database.onAnnounced((events) => void announced.push(...events));
    const id = await resumable();
    const { agentId, conversationId } = world;
    const capitals = {
      agentId: agentId.toUpperCase(),
      conversationId: conversationId.toUpperCase(),
    };
    expect((await takeOver(id, capitals)).outcome).to.equal('taken');
    const ends = announced.filter(({ data }) => (data as { id?: unknown }).id === id);
    expect(ends.map(({ type, data }) => ({ type, ...data }))).to.deep.equal([
      { type: 'session.ended', id, agentId, conversationId },
    ]);
  });

  it('tells its successors when the first of them began', async () => {
    const first = await resumable();
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await world.work(({ trx }) =>
      sql`update realtime_sessions set started_at = ${anHourAgo} where id = ${first}`.execute(trx),
    );
    const taken = await takeOver(first);
    if (taken.outcome !== 'taken') throw new Error('not taken');
    expect(taken.beganAt).to.deep.equal(anHourAgo);
    const next = await world.newSession();
    const { beganAt } = taken;
    await world.work((scope) => keepTicket(scope, { id: next, ticket, beganAt }));
    const again = await takeOver(next);
    expect(again).to.deep.include({ outcome: 'taken', beganAt: anHourAgo });
    expect((again as { elapsedSeconds: number }).elapsedSeconds).to.be.within(3600, 3700);
  });

  it('may have been handed over before', async () => {
    const id = await resumable();
    const waiting = await world.waiting({ sessionId: id });
    // The journal writes again if the answer to a commit is lost.
    for (let times = 0; times < 2; times += 1)
      await world.work((scope) => writeChanges(scope, [end(id, 'ServiceRestart')]));
    expect((await world.stored(waiting.id)).approval).to.equal('waiting');
    expect(ticketOf(await takeOver(id))).to.deep.equal(ticket);
  });

  it('may have been found lost before its pod hands it over, or ends it for good', async () => {
    const [left, closed] = [await resumable(), await resumable()];
    const calls = [left, closed].map((sessionId) => world.waiting({ sessionId }));
    const [kept, cancelled] = await Promise.all(calls);
    for (const id of [left, closed]) await world.work((scope) => endLostSession(scope, id));
    const ends = [end(left, 'ServiceRestart'), end(closed, 'Normal')];
    await world.work((scope) => writeChanges(scope, ends));
    expect((await world.stored(kept!.id)).approval).to.equal('waiting');
    expect((await world.stored(cancelled!.id)).approval).to.equal('cancelled');
    expect(ticketOf(await takeOver(left))).to.deep.equal(ticket);
    expect(await takeOver(closed)).to.deep.equal(over);
  });

  it('may have been found lost before, but not longer ago than the grace', async () => {
    const [recent, old] = [await resumable(), await resumable()];
    const waiting = await world.waiting({ sessionId: old });
    for (const id of [recent, old]) await world.work((scope) => endLostSession(scope, id));
    const unclaimed = (graceSeconds: number) =>
      world.database.asSystem((system) =>
        endUnclaimedSessions(system, { graceSeconds, limit: 10 }),
      );
    expect(await unclaimed(60)).to.equal(0);
    expect(ticketOf(await takeOver(recent))).to.deep.equal(ticket);
    expect((await world.stored(waiting.id)).approval).to.equal('waiting');
    await world.work(({ trx }) =>
      sql`update realtime_sessions set ended_at = now() - interval '61 s' where id = ${old}`.execute(
        trx,
      ),
    );
    expect(await unclaimed(60)).to.equal(1);
    expect(await takeOver(old)).to.deep.equal(over);
    const left = await world.database.asSystem((system) =>
      sessionsWithOpenCalls(system, { graceSeconds: 30, limit: 10 }),
    );
    expect(left.map(({ id }) => id)).to.deep.equal([old]);
  });

  describe('and its calls', () => {
    let sessionId: string;
    let to: string;
    beforeEach(async () => {
      sessionId = await resumable();
      to = await world.newSession();
    });
    const adopt = async () => {
      await takeOver(sessionId, { to });
      return world.work(async (scope) => {
        const adopted = await adoptSessionCalls(scope, { from: sessionId, to, owner: 'pod-2' });
        await cancelSessionCalls(scope, sessionId);
        return adopted.map(({ id }) => id);
      });
    };

    it('become those of the session that continues it, unless they were claimed', async () => {
      const claimed = await world.record({ sessionId });
      const open = await world.record({ sessionId });
      const waiting = await world.waiting({ sessionId });
      const approved = await world.waiting({ sessionId });
      const inner = await world.waiting({ sessionId, parentId: claimed.id });
      const by = { kind: 'key', id: randomUUID(), name: 'backend' } as const;
      await world.work((scope) => decideToolCall(scope, approved.id, { approval: 'approved', by }));
      await world.work((scope) => claimToolCall(scope, claimed.id));
      const { deadline } = await world.stored(waiting.id);
      expect(await adopt()).to.have.members([open.id, waiting.id, approved.id]);
      expect((await world.stored(claimed.id)).result).to.match(/outcome is unknown/);
      expect((await world.stored(inner.id)).approval).to.equal('cancelled');
      expect(await world.stored(waiting.id)).to.deep.include({
        ...{ sessionId: to, approval: 'waiting', deadline, finishedAt: null },
      });
      const decided = await world.work((scope) =>
        decideToolCall(scope, waiting.id, { approval: 'approved', by }),
      );
      expect(decided).to.include({ owner: 'pod-2' });
      for (const { id } of [open, waiting, approved])
        expect(await world.work((scope) => claimToolCall(scope, { id, sessionId: to }))).to.equal(
          true,
        );
    });

    it('are all of those of a sub-agent that waits, and none of one that works', async () => {
      const [waits, works] = [await world.record({ sessionId }), await world.record({ sessionId })];
      const inner = await world.record({ sessionId, parentId: waits.id });
      const innermost = await world.waiting({ sessionId, parentId: inner.id });
      const other = await world.waiting({ sessionId, parentId: works.id });
      const suspended = { run: { state: 'waiting' }, executionMs: 5 };
      for (const { id } of [waits, works, inner]) {
        await world.work((scope) => claimToolCall(scope, id));
        const kept = await world.work((scope) =>
          suspendToolCall(scope, { id, sessionId }, suspended),
        );
        expect(kept).to.equal(true);
      }
      const resumes = (of: string) =>
        world.work((scope) => resumeToolCall(scope, { id: works.id, sessionId: of }));
      expect([await resumes(to), await resumes(sessionId)]).to.deep.equal([false, true]);
      await takeOver(sessionId, { to });
      const adopted = await world.work(async (scope) => {
        const calls = await adoptSessionCalls(scope, { from: sessionId, to, owner: 'pod-2' });
        await cancelSessionCalls(scope, sessionId);
        return calls;
      });
      expect(adopted).to.have.length(1);
      expect(adopted[0]).to.deep.include({ id: waits.id, suspended });
      for (const { id } of [waits, inner, innermost])
        expect(await world.stored(id)).to.include({ sessionId: to, finishedAt: null });
      expect((await world.stored(other.id)).approval).to.equal('cancelled');
      expect((await world.stored(works.id)).result).to.match(/outcome is unknown/);
      const lost = { id: waits.id, sessionId };
      expect(await world.work((scope) => resumeToolCall(scope, lost))).to.equal(false);
      expect(await world.work((scope) => suspendToolCall(scope, lost, {}))).to.equal(false);
    });

    it('are out of its reach from then on', async () => {
      const open = await world.record({ sessionId });
      const waiting = await world.waiting({ sessionId });
      await adopt();
      const by = { kind: 'session', id: sessionId, name: 'end user' } as const;
      const own = { id: waiting.id, sessionId };
      for (const decision of [
        { approval: 'cancelled', by: null },
        { approval: 'approved', by },
      ] as const)
        expect(await world.work((scope) => decideToolCall(scope, own, decision))).to.equal(
          undefined,
        );
      const claim = { id: open.id, sessionId };
      expect(await world.work((scope) => claimToolCall(scope, claim))).to.equal(false);
      const asked = { timeoutMs: 1000, approvers, owner: 'pod-1' };
      const failed = await world
        .work((scope) => openApproval(scope, claim, asked))
        .catch((error: unknown) => error);
      expect(String(failed)).to.match(/cannot wait/);
      const outcome = { status: 'failed', result: 'x', text: 'x', executionMs: null } as const;
      await world.work((scope) => writeChanges(scope, [{ kind: 'call', ...claim, end: outcome }]));
      for (const { id } of [open, waiting])
        expect(await world.stored(id)).to.include({ sessionId: to, finishedAt: null });
    });

    it('are not recorded afterwards, neither at once nor through the journal', async () => {
      await adopt();
      const made = world.newCall({ sessionId });
      expect(await world.work((scope) => recordToolCall(scope, made))).to.equal(false);
      const outcome = { status: 'failed', result: 'x', text: 'x', executionMs: null } as const;
      const { id } = made;
      await world.work((scope) => writeChanges(scope, [{ kind: 'call', id, made, end: outcome }]));
      const { rows } = await world.work(({ trx }) =>
        sql`select id from messages where id = ${made.messageId}
          union all select id from tool_calls where id = ${id}`.execute(trx),
      );
      expect(rows).to.be.empty;
    });

    it('that it records at the same moment are adopted or not recorded', async () => {
      const made = Array.from({ length: 8 }, () => world.newCall({ sessionId }));
      const [recorded, adopted] = await Promise.all([
        Promise.all(made.map((call) => world.work((scope) => recordToolCall(scope, call)))),
        adopt(),
      ]);
      const ids = made.flatMap(({ id }, n) => (recorded[n] ? [id] : []));
      expect(adopted).to.have.members(ids);
    });
  });

  it('takes nothing more from its former pod, and others are not affected', async () => {
    const [moved, staying] = [await resumable(), await resumable()];
    await takeOver(moved);
    const late = { ...message(moved), fencedBy: moved };
    const fine = { ...message(staying), fencedBy: staying };
    const dropped = await world.work((scope) => writeChanges(scope, [late, fine]));
    expect([...dropped]).to.deep.equal([late]);
    const stored = await world.work(({ trx }) =>
      trx.selectFrom('messages').select('sessionId').where('role', '=', 'user').execute(),
    );
    expect(stored).to.deep.equal([{ sessionId: staying }]);
  });
});
