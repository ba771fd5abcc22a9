import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { waitFor } from '@parley/testkit';
import { recordOwnToolCall } from '#src/calls/record-own-call.js';
import { claimToolCall } from '#src/calls/tool-calls.js';
import { keepTicket, takeOverSession } from '#src/conversations/realtime-sessions.js';
import { writeChanges, type RecordChange } from '#src/journal/record-changes.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import type { OrganizationScope } from '#src/postgres/database.js';
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
  const takeOver = (id: string, changes: object = {}): Promise<unknown> => {
    const { agentId, conversationId } = world;
    return world.work((scope) =>
      takeOverSession(scope, { id, agentId, conversationId, ...changes }),
    );
  };
  const end = (id: string, endReason: string): RecordChange => {
    const bytes = { bytesFromClient: 0, bytesFromProvider: 0 };
    return { kind: 'end', end: { id, endReason, closeCode: 1012, endedAt: new Date(), ...bytes } };
  };
  const message = (sessionId: string): RecordChange => {
    const { conversationId } = world;
    const ids = { id: randomUUID(), conversationId, sessionId, itemId: null, contentIndex: 0 };
    const said = { role: 'user', content: 'Hello', status: 'completed', usage: null } as const;
    const heard = { interrupted: false, audioEndMs: null, createdAt: new Date() };
    const position = Date.now() * 1000;
    return { kind: 'message', message: { ...ids, ...said, ...heard, position } };
  };

  it('is so once, and only if it is resumable, not over, and its own organization’s', async () => {
    const id = await resumable();
    for (const wrong of [{ agentId: randomUUID() }, { conversationId: randomUUID() }])
      expect(await takeOver(id, wrong)).to.equal(undefined);
    const other = await world.database.asSystem((system) =>
      insertOrganization(system, { name: 'Other' }),
    );
    const { agentId, conversationId } = world;
    const byOther = await world.database.inOrganization(other.id, (scope) =>
      takeOverSession(scope, { id, agentId, conversationId }),
    );
    expect(byOther).to.equal(undefined);
    const both = await Promise.all([takeOver(id), takeOver(id)]);
    expect(both.filter((taken) => taken !== undefined)).to.deep.equal([ticket]);
    expect(await takeOver(await world.newSession())).to.equal(undefined);
    const over = await resumable();
    await world.work((scope) => writeChanges(scope, [end(over, 'Normal')]));
    expect(await takeOver(over)).to.equal(undefined);
  });

  it('may have been handed over before', async () => {
    const id = await resumable();
    await world.work((scope) => writeChanges(scope, [end(id, 'ServiceRestart')]));
    expect(await takeOver(id)).to.deep.equal(ticket);
  });

  it('leaves no call that could run, and those that ran have unknown outcomes', async () => {
    const sessionId = await resumable();
    const claimed = await world.record({ sessionId });
    const open = await world.record({ sessionId });
    const waiting = await world.waiting({ sessionId });
    await world.work((scope) => claimToolCall(scope, claimed.id));
    await takeOver(sessionId);
    expect((await world.stored(claimed.id)).result).to.match(/outcome is unknown/);
    expect((await world.stored(open.id)).result).to.match(/before the tool was run/);
    expect((await world.stored(waiting.id)).approval).to.equal('cancelled');
    for (const { id } of [open, waiting])
      expect(await world.work((scope) => claimToolCall(scope, id))).to.equal(false);
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

  it('takes no call from its former pod either, not even one that comes during the take-over', async () => {
    const sessionId = await resumable();
    const { agentId, conversationId } = world;
    const before = await world.record({ sessionId });
    const own = () => ({
      ...before,
      id: randomUUID(),
      messageId: randomUUID(),
      callId: randomUUID(),
    });
    const callsOf = () =>
      world.work(({ trx }) =>
        trx.selectFrom('toolCalls').select('id').where('sessionId', '=', sessionId).execute(),
      );
    await world.work((scope) => recordOwnToolCall(scope, own()));
    expect(await callsOf()).to.have.length(2);
    let during: Promise<unknown> = Promise.resolve();
    await world.work(async (scope) => {
      await takeOverSession(scope, { id: sessionId, agentId, conversationId });
      during = world.work((late) => recordOwnToolCall(late, own())).catch(String);
      await isWaiting(scope);
    });
    expect(await during).to.include('taken over by another pod');
    const after = await world.work((scope) => recordOwnToolCall(scope, own())).catch(String);
    expect(after).to.include('taken over by another pod');
    expect(await callsOf()).to.have.length(2);
  });

  /** Until another connection waits for a lock that this transaction holds. */
  const isWaiting = ({ trx }: OrganizationScope) =>
    waitFor(
      async () => {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_locks
        where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`.execute(trx);
        return rows[0]!.n > 0;
      },
      { what: 'the late call to wait for the take-over' },
    );
});
