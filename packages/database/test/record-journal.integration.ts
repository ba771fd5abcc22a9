import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { deleteConversations } from '#src/conversations/delete-conversations.js';
import { insertConversation } from '#src/conversations/conversations.js';
import { openRecordJournal, type RecordJournal } from '#src/journal/record-journal.js';
import type { Outcome } from '#src/journal/journal.js';
import type { RecordChange } from '#src/journal/record-changes.js';
import { claimToolCall } from '#src/calls/tool-calls.js';
import { calledTools, type CalledTools } from './support/called-tools.js';

describe('the outcome of a tool call in the journal', () => {
  let world: CalledTools;
  let journal: RecordJournal;
  /** PostgreSQL fails so many transactions before it takes one, with this code. */
  let failures = 0;
  let code = '';
  before(async () => {
    world = await calledTools();
    journal = openRecordJournal({
      database: {
        async inOrganization(organizationId, work) {
          if (failures-- > 0) throw Object.assign(new Error('away'), { code });
          return world.database.inOrganization(organizationId, work);
        },
      },
      limits: { firstRetryMs: 1, lastRetryMs: 1 },
      onRetry: () => undefined,
      onRefused: () => undefined,
      onGivenUp: () => undefined,
    });
  });
  after(async () => {
    await journal.close();
    await world.drop();
  });

  const end = {
    status: 'succeeded',
    result: { paid: true },
    text: 'Paid.',
    executionMs: 12,
  } as const;
  const endOf = (id: string): Extract<RecordChange, { kind: 'end' }> => ({
    kind: 'end',
    end: {
      ...{ id, endedAt: performance.now(), endReason: 'Normal', closeCode: 1000 },
      ...{ bytesFromClient: 0, bytesFromProvider: 0 },
    },
  });
  const write = (change: RecordChange, id: string = randomUUID()): Promise<Outcome> =>
    new Promise((resolve) => {
      journal.add({ organizationId: world.organizationId, id }, change, resolve);
    });

  for (const [what, failure] of [
    ['PostgreSQL is away', 'ECONNREFUSED'],
    ['a column is not migrated yet', '42703'],
    ['a table is not migrated yet', '42P01'],
    ['a function is not migrated yet', '42883'],
  ] as const)
    it(`stands although its session ends while ${what}`, async () => {
      const sessionId = await world.newSession();
      const { id } = await world.record({ sessionId });
      await world.work((scope) => claimToolCall(scope, id));
      [failures, code] = [3, failure];
      const written = [write({ kind: 'call', id, end }), write(endOf(sessionId))];
      expect(await Promise.all(written)).to.deep.equal(['stored', 'stored']);
      expect(await world.stored(id)).to.deep.include({
        ...{ status: 'succeeded', result: { paid: true } },
      });
    });

  it('has the time of PostgreSQL’s clock at the end of its session, however late it is written', async () => {
    const [id, early] = [await world.newSession(), await world.newSession()];
    const hour = 3_600_000;
    const rows = async () =>
      world.work(async ({ trx }) => {
        const { rows: found } = await sql<{
          id: string;
          started: number;
          ended: number;
          now: number;
        }>`
          select id, extract(epoch from started_at)::float8 * 1000 as started,
            extract(epoch from ended_at)::float8 * 1000 as ended,
            extract(epoch from clock_timestamp())::float8 * 1000 as now
          from realtime_sessions where id in (${id}, ${early})`.execute(trx);
        return new Map(found.map((row) => [row.id, row]));
      });
    await world.database.asSystem(({ trx }) =>
      sql`update realtime_sessions set started_at = now() - interval '1 day' where id = ${id}`.execute(
        trx,
      ),
    );
    const before = await rows();
    for (const [ended, age] of [
      [id, hour],
      [early, hour],
    ] as const) {
      const change = endOf(ended);
      await write({ ...change, end: { ...change.end, endedAt: performance.now() - age } });
    }
    const after = await rows();
    expect(after.get(id)!.ended + hour).to.be.within(before.get(id)!.now - 1, after.get(id)!.now);
    expect(after.get(early)!.ended).to.equal(after.get(early)!.started);
  });

  it('comes with its call, if that could not be recorded when it was made', async () => {
    const made = world.newCall();
    const notRun = { ...end, status: 'failed', notRun: true } as const;
    expect(await write({ kind: 'call', id: made.id, end: notRun, made })).to.equal('stored');
    expect(await world.stored(made.id)).to.include({ name: 'pay', status: 'failed' });
    expect(await world.message(made)).to.include({ content: 'Paid.', status: 'failed' });
  });

  it('ends what its sub-agent left open, at any depth', async () => {
    const sessionId = await world.newSession();
    const asking = await world.record({ sessionId });
    const asked = await world.record({ sessionId, parentId: asking.id });
    const [waiting, running, finished] = [
      await world.waiting({ sessionId, parentId: asking.id }),
      await world.record({ sessionId, parentId: asked.id }),
      await world.record({ sessionId, parentId: asked.id }),
    ];
    const others = await world.waiting({ sessionId });
    for (const { id } of [asking, asked, running])
      await world.work((scope) => claimToolCall(scope, id));
    await write({ kind: 'call', id: finished.id, end });
    await write({ kind: 'call', id: asking.id, sessionId, end, endsInside: true });
    const stored = await world.stored(waiting.id);
    expect(stored).to.include({
      ...{ status: 'failed', approval: 'cancelled' },
      result: 'The sub-agent ended before the call was approved. The tool was not run.',
    });
    expect(await world.message(waiting)).to.include({ status: 'failed', content: stored.result });
    for (const { id } of [asked, running])
      expect((await world.stored(id)).result).to.match(/^The sub-agent ended .* unknown/);
    expect(await world.stored(finished.id)).to.include({ status: 'succeeded' });
    expect(await world.stored(others.id)).to.include({ approval: 'waiting', finishedAt: null });
  });

  it('leaves what its sub-agent left open to the session that has adopted it', async () => {
    const [former, sessionId] = [await world.newSession(), await world.newSession()];
    const asking = await world.record({ sessionId });
    const inside = await world.waiting({ sessionId, parentId: asking.id });
    await write({ kind: 'call', id: asking.id, sessionId: former, end, endsInside: true });
    expect(await world.stored(inside.id)).to.include({ approval: 'waiting', finishedAt: null });
  });

  it('has no place any more when its conversation is deleted', async () => {
    const { id: conversationId } = await world.work((scope) =>
      insertConversation(scope, world.agentId),
    );
    const made = world.newCall({ conversationId });
    await world.work((scope) => deleteConversations(scope, [conversationId]));
    expect(await write({ kind: 'call', id: made.id, end, made })).to.equal('gone');
  });
});
