import { expect } from 'chai';
import type { ConversationRecord } from '@parley/database';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { recordSeed } from './support/record-seed.js';

const tables = ['messages', 'toolCalls', 'usageRecords', 'realtimeSessions'] as const;

describe('deletion of a conversation', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let agentId: string;
  let doomed: ConversationRecord;
  let kept: ConversationRecord;

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    const agent = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    agentId = (agent.body as { id: string }).id;
    doomed = await conversationWithEverything();
    kept = await conversationWithEverything();
    expect(await rowsLeft(doomed)).to.deep.equal([2, 1, 1, 1]);
    const reply = await tenant.client.delete(`/api/v1/Conversation/${doomed.id}`);
    expect(reply.status).to.equal(204);
  });
  after(() => api.stop());

  async function conversationWithEverything(): Promise<ConversationRecord> {
    const seed = recordSeed(api.database, tenant.id);
    const conversation = await seed.conversation(agentId);
    const sessionId = await seed.session(conversation);
    await seed.message(conversation, { position: 1, sessionId, content: 'my s3cret' });
    const messageId = await seed.message(conversation, { position: 2, sessionId, role: 'tool' });
    await seed.toolCall(conversation, {
      messageId,
      callId: 'call_1',
      name: 'lookup',
      arguments: { q: 's3cret' },
      status: 'succeeded',
      approval: null,
      decidedBy: null,
      decidedAt: null,
      result: 's3cret',
      executionMs: 1,
    });
    await seed.usage(conversation, { sessionId, source: 'response', model: 'gpt-realtime' });
    return conversation;
  }

  const rowsLeft = ({ id }: ConversationRecord): Promise<number[]> =>
    api.database.asSystem(({ trx }) =>
      Promise.all(
        tables.map(async (table) => {
          const rows = await trx
            .selectFrom(table)
            .select('conversationId')
            .where('conversationId', '=', id)
            .execute();
          return rows.length;
        }),
      ),
    );

  it('leaves nothing of it behind', async () => {
    expect(await rowsLeft(doomed)).to.deep.equal([0, 0, 0, 0]);
    for (const path of ['', '/message'])
      expect((await tenant.client.get(`/api/v1/Conversation/${doomed.id}${path}`)).status).to.equal(
        404,
      );
  });

  it('leaves the other conversations alone', async () => {
    expect(await rowsLeft(kept)).to.deep.equal([2, 1, 1, 1]);
    const { body } = await tenant.client.get('/api/v1/Conversation');
    expect(body).to.have.nested.property('items[0].id', kept.id);
    expect(body).to.have.property('total', 1);
  });

  it('is 404 the second time', async () => {
    const reply = await tenant.client.delete(`/api/v1/Conversation/${doomed.id}`);
    expect(reply.status).to.equal(404);
  });

  it('is recorded once, with how much was deleted and nothing that was said', async () => {
    const records = await api.database.asSystem(({ trx }) =>
      trx
        .selectFrom('auditLog')
        .select(['actor', 'resourceType', 'resourceId', 'before', 'after'])
        .where('organizationId', '=', tenant.id)
        .where('action', '=', 'conversation.deleted')
        .execute(),
    );
    expect(records).to.deep.equal([
      {
        actor: { kind: 'key', id: tenant.keyId, name: 'test' },
        resourceType: 'conversation',
        resourceId: doomed.id,
        before: {
          id: doomed.id,
          agentId,
          messageCount: 2,
          createdAt: doomed.createdAt.toISOString(),
          updatedAt: doomed.updatedAt.toISOString(),
        },
        after: null,
      },
    ]);
  });

  it('ends what a new session could continue', async () => {
    const reply = await tenant.client.post(`/api/v1/Agent/${agentId}/realtime-session`, {
      conversationId: doomed.id,
    });
    expect(reply.status).to.equal(404);
  });

  it('changes the tasks that refer to it, and their ETags', async () => {
    const { id: conversationId } = await recordSeed(api.database, tenant.id).conversation(agentId);
    const task = { title: 'Mine', description: 'kept', agentId, conversationId };
    const created = await tenant.client.post('/api/v1/Task', task);
    const path = `/api/v1/Task/${(created.body as { id: string }).id}`;
    await tenant.client.delete(`/api/v1/Conversation/${conversationId}`);
    const { body, headers } = await tenant.client.get(path);
    expect(body).to.include({ ...task, conversationId: null, version: 2 });
    expect(headers.get('etag')).not.to.equal(created.headers.get('etag'));
  });
});
