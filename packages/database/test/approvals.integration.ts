import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { decideToolCall, expireDueApprovals } from '#src/calls/approval-decisions.js';
import {
  approvalBacklog,
  findApprovals,
  listApprovals,
  waitingAmong,
} from '#src/calls/approvals.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { calledTools, type CalledTools } from './support/called-tools.js';

const page = { offset: 0, limit: 50 };

describe('approvals in the record', () => {
  let world: CalledTools;

  beforeEach(async () => {
    world = await calledTools();
  });
  afterEach(() => world.drop());

  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const find = (text: string) => world.work((scope) => findApprovals(scope, text));
  const reject = (id: string) =>
    world.work((scope) => decideToolCall(scope, id, { approval: 'rejected', by: null }));

  it('are listed oldest first, by state, agent and conversation', async () => {
    const [first, second, decided] = [
      await world.waiting({ createdAt: new Date(1000) }),
      await world.waiting({ createdAt: new Date(2000) }),
      await world.waiting({ createdAt: new Date(3000) }),
    ];
    await world.record();
    await reject(decided.id);
    const list = (filter: Parameters<typeof listApprovals>[1], at = page) =>
      world.work((scope) => listApprovals(scope, filter, at));
    const waiting = await list({ approval: 'waiting' });
    expect(waiting.total).to.equal(2);
    expect(idsOf(waiting.items)).to.deep.equal([first.id, second.id]);
    expect(idsOf((await list({})).items)).to.deep.equal([first.id, second.id, decided.id]);
    expect(idsOf((await list({}, { offset: 2, limit: 1 })).items)).to.deep.equal([decided.id]);
    expect((await list({ agentId: randomUUID() })).total).to.equal(0);
    const { agentId, conversationId } = world;
    expect((await list({ approval: 'rejected', agentId, conversationId })).total).to.equal(1);
  });

  it('are found by id and by call id, the waiting one before a decided one', async () => {
    const old = await world.waiting({ callId: 'call_1' });
    await reject(old.id);
    expect(idsOf(await find('call_1'))).to.deep.equal([old.id]);
    const fresh = await world.waiting({ callId: 'call_1' });
    expect(idsOf(await find('call_1'))).to.deep.equal([fresh.id]);
    expect(idsOf(await find(old.id.toUpperCase()))).to.deep.equal([old.id]);
    for (const absent of ['CALL_1', '', '%', randomUUID(), '1'.repeat(10_000)])
      expect(await find(absent)).to.deep.equal([]);
  });

  it('that wait under the same call id are both found', async () => {
    const callId = randomUUID();
    const calls = [await world.waiting({ callId }), await world.waiting({ callId })];
    expect(idsOf(await find(callId))).to.have.members(idsOf(calls));
  });

  it('that need no decision, or are another organization’s, are not found', async () => {
    const plain = await world.record({ callId: 'plain' });
    expect(await find('plain')).to.deep.equal([]);
    expect(await find(plain.id)).to.deep.equal([]);
    const { id } = await world.waiting();
    const other = await world.database.asSystem((system) =>
      insertOrganization(system, { name: 'Other' }),
    );
    expect(
      await world.database.inOrganization(other.id, (scope) => findApprovals(scope, id)),
    ).to.deep.equal([]);
  });

  it('expire when they are due, the longest overdue first', async () => {
    const [late, later] = [await world.waiting({}, -10), await world.waiting({}, -20)];
    const early = await world.waiting();
    await reject((await world.waiting({}, -30)).id);
    const expire = (limit: number) =>
      world.database.asSystem((system) => expireDueApprovals(system, limit));
    expect(idsOf(await expire(1))).to.deep.equal([later.id]);
    const [expired, ...others] = await expire(10);
    expect(others).to.deep.equal([]);
    const { organizationId } = world;
    expect(expired).to.include({
      id: late.id,
      approval: 'expired',
      organizationId,
      owner: 'pod-1',
    });
    expect(expired!.lateMs).to.be.at.least(10_000);
    expect(await world.stored(early.id)).to.include({ approval: 'waiting' });
    expect(await expire(10)).to.deep.equal([]);
  });

  it('that expire end the call of a session, and leave that of a question to it', async () => {
    const inSession = await world.waiting({ sessionId: await world.newSession() }, -1);
    const inQuestion = await world.waiting({ runId: randomUUID() }, -1);
    await world.database.asSystem((system) => expireDueApprovals(system, 10));
    const ended = await world.stored(inSession.id);
    expect(ended).to.include({ approval: 'expired', status: 'failed', executionMs: null });
    expect(ended.result).to.match(/timed out/);
    expect(ended.finishedAt).to.deep.equal(ended.decidedAt);
    expect(await world.message(inSession)).to.deep.include({
      content: ended.result,
      status: 'failed',
    });
    const left = await world.stored(inQuestion.id);
    expect(left).to.include({
      approval: 'expired',
      status: 'failed',
      result: null,
      finishedAt: null,
    });
    expect(await world.message(inQuestion)).to.include({ status: 'in_progress' });
  });

  it('that somebody is deciding keep no others waiting', async () => {
    const [held, free] = [await world.waiting({}, -2), await world.waiting({}, -1)];
    await world.work(async ({ trx }) => {
      await trx
        .selectFrom('toolCalls')
        .select('id')
        .where('id', '=', held.id)
        .forUpdate()
        .execute();
      const expired = await world.database.asSystem((system) => expireDueApprovals(system, 10));
      expect(idsOf(expired)).to.deep.equal([free.id]);
    });
  });

  it('tell which of them wait, for how long, and how many', async () => {
    const backlog = () => world.database.asSystem(approvalBacklog);
    expect(await backlog()).to.deep.equal({ waiting: 0, oldestOverdueSeconds: 0 });
    const [due, early, decided] = [
      await world.waiting({}, -10),
      await world.waiting(),
      await world.waiting(),
    ];
    await reject(decided.id);
    const asked = [...idsOf([due, early, decided]), randomUUID()];
    const waiting = await world.database.asSystem((system) => waitingAmong(system, asked));
    const remaining = new Map(waiting.map(({ id, remainingMs }) => [id, remainingMs]));
    expect([...remaining.keys()]).to.have.members([due.id, early.id]);
    expect(remaining.get(due.id)).to.be.at.most(-10_000);
    expect(remaining.get(early.id)).to.be.within(1, 300_000);
    const counted = await backlog();
    expect(counted.waiting).to.equal(2);
    expect(counted.oldestOverdueSeconds).to.be.at.least(10);
  });
});
