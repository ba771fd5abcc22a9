import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { insertAgent } from '#src/agents/agents.js';
import { violatedConstraint } from '#src/postgres/availability.js';
import {
  insertConversation,
  listConversations,
  touchConversations,
} from '#src/conversations/conversations.js';
import { deleteConversations } from '#src/conversations/delete-conversations.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { startRealtimeSession } from '#src/conversations/realtime-sessions.js';
import { migratedDatabase, plainAgent, type MigratedDatabase } from '@parley/testkit';

describe('conversations', () => {
  let db: MigratedDatabase;
  let organizationId: string;
  let agentId: string;

  before(async () => {
    db = await migratedDatabase();
    ({ id: organizationId } = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'O' }),
    ));
    agentId = await db.database.inOrganization(organizationId, (scope) =>
      insertAgent(scope, plainAgent),
    );
  });
  after(() => db.drop());

  const newConversation = () =>
    db.database.inOrganization(organizationId, (scope) => insertConversation(scope, agentId));

  it('open no session once they are deleted, with a used token or a fresh one', async () => {
    const { id: conversationId } = await newConversation();
    const start = (tokenHash: Buffer) =>
      db.database.inOrganization(organizationId, (scope) =>
        startRealtimeSession(scope, {
          ...{ id: randomUUID(), agentId, conversationId, tokenHash, keyId: null },
        }),
      );
    const used = randomBytes(32);
    await start(used);
    await db.database.inOrganization(organizationId, (scope) =>
      deleteConversations(scope, [conversationId]),
    );
    for (const token of [used, randomBytes(32)]) {
      const failure: unknown = await start(token).catch((error: unknown) => error);
      expect(violatedConstraint(failure)).to.equal('realtime_sessions_conversation_id_fkey');
    }
  });

  it('are deleted by their own organization only', async () => {
    const { id } = await newConversation();
    const other = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'Other' }),
    );
    await db.database.inOrganization(other.id, (scope) => deleteConversations(scope, [id]));
    const { items } = await db.database.inSnapshot(organizationId, (scope) =>
      listConversations(scope, {}, { offset: 0, limit: 50 }),
    );
    expect(items.map((conversation) => conversation.id)).to.include(id);
  });

  it('that are being deleted are waited for, and are then gone', async () => {
    const [doomed, kept] = [await newConversation(), await newConversation()];
    const touch = (ids: string[]) =>
      db.database.inOrganization(organizationId, (scope) => touchConversations(scope, ids));
    const touching = await db.database.inOrganization(organizationId, async (scope) => {
      await deleteConversations(scope, [doomed.id]);
      const waiting = touch([doomed.id, kept.id, doomed.id, randomUUID()]);
      await db.database.ping();
      return { waiting };
    });
    expect([...(await touching.waiting)]).to.deep.equal([kept.id]);
    expect([...(await touch([]))]).to.be.empty;
  });

  it('that begin during a snapshot are not in it', async () => {
    const page = { offset: 0, limit: 50 };
    await db.database.inSnapshot(organizationId, async (scope) => {
      const before = await listConversations(scope, { agentId }, page);
      await newConversation();
      expect(await listConversations(scope, { agentId }, page)).to.deep.equal(before);
    });
  });

  it('cannot be written in a snapshot', async () => {
    const failure: unknown = await db.database
      .inSnapshot(organizationId, (scope) => insertConversation(scope, agentId))
      .catch((error: unknown) => error);
    expect((failure as Error).message).to.match(/read-only transaction/);
  });
});
