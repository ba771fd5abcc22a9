import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { findApprovals, listApprovals, overdueApprovals } from '#src/approvals.js';
import { insertOrganization } from '#src/organizations.js';
import { decideToolCall } from '#src/tool-calls.js';
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

  it('are overdue when they wait past their deadline and the grace', async () => {
    const late = await world.waiting({}, -10);
    const later = await world.waiting({}, -20);
    await world.waiting({}, -1);
    await world.waiting({}, 300);
    await reject((await world.waiting({}, -30)).id);
    const overdue = (limit: number) =>
      world.database.asSystem((system) => overdueApprovals(system, { graceMs: 5000, limit }));
    expect(idsOf(await overdue(10))).to.deep.equal([later.id, late.id]);
    expect(idsOf(await overdue(1))).to.deep.equal([later.id]);
  });
});
