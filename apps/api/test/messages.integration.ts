import { expect } from 'chai';
import { sql } from 'kysely';
import type { ConversationRecord } from '@parley/database';
import type { Message } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { recordSeed } from './support/record-seed.js';

describe('messages of a conversation', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let seed: ReturnType<typeof recordSeed>;
  let agentId: string;
  let conversation: ConversationRecord;

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    seed = recordSeed(api.database, tenant.id);
    const agent = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    agentId = (agent.body as { id: string }).id;
  });
  beforeEach(async () => {
    conversation = await seed.conversation(agentId);
  });
  after(() => api.stop());

  const page = async (query = ''): Promise<{ items: Message[]; total: number }> => {
    const reply = await tenant.client.get(
      `/api/v1/Conversation/${conversation.id}/message${query}`,
    );
    expect(reply.status).to.equal(200);
    return reply.body as { items: Message[]; total: number };
  };

  it('stand in the order in which they were spoken, whenever they were written', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
    await seed.message(conversation, { position: 30, content: 'third', createdAt: at(1) });
    await seed.message(conversation, { position: 10, content: 'first', createdAt: at(3) });
    await seed.message(conversation, { position: 20, content: 'second', createdAt: at(2) });
    await seed.message(conversation, { position: -5, content: 'before', createdAt: at(9) });
    expect((await page()).items.map(({ content }) => content)).to.deep.equal([
      'before',
      'first',
      'second',
      'third',
    ]);
  });

  it('say who spoke, in which session, and whether it was cut off', async () => {
    const sessionId = await seed.session(conversation);
    const tokens = {
      inputTextTokens: 90,
      inputAudioTokens: 13,
      inputCachedTokens: 64,
      outputTextTokens: 5,
      outputAudioTokens: 15,
    };
    const id = await seed.message(conversation, {
      position: 1,
      sessionId,
      role: 'assistant',
      content: 'Grüß Gott 😀',
      status: 'incomplete',
      itemId: 'item_1',
      interrupted: true,
      audioEndMs: 1250,
      usage: { ...tokens, seconds: 2.5 },
    });
    const [message] = (await page()).items;
    expect(message).to.deep.include({
      id,
      role: 'assistant',
      content: 'Grüß Gott 😀',
      status: 'incomplete',
      itemId: 'item_1',
      sessionId,
      interrupted: true,
      audioEndMs: 1250,
      toolCall: null,
      usage: { ...tokens, transcriptionSeconds: 2.5 },
    });
  });

  it('carry their tool calls, decided or not', async () => {
    const plain = { name: 'lookup', callId: 'call_1', decidedBy: null, decidedAt: null };
    const first = {
      ...plain,
      messageId: await seed.message(conversation, { position: 1, role: 'tool' }),
      arguments: 'not {json',
      status: 'pending',
      approval: null,
      result: null,
      executionMs: null,
    } as const;
    const second = {
      name: 'pay',
      callId: 'call_2',
      messageId: await seed.message(conversation, { position: 2, role: 'tool' }),
      arguments: { amount: 12.5, snake_case: { innerKey: [] } },
      status: 'succeeded',
      approval: 'approved',
      decidedBy: { kind: 'key', id: 'k', name: 'console' },
      decidedAt: new Date('2026-01-01T12:00:00.000Z'),
      result: { text: 'paid', button_label: 'Show' },
      executionMs: 1234,
    } as const;
    const ids = [
      await seed.toolCall(conversation, first),
      await seed.toolCall(conversation, second),
    ];
    expect((await page()).items.map(({ toolCall }) => toolCall)).to.deep.equal([
      {
        id: ids[0],
        agentId: conversation.agentId,
        parentId: null,
        ...plain,
        arguments: 'not {json',
        status: 0,
        approval: null,
        result: null,
        executionTimeSeconds: null,
      },
      {
        id: ids[1],
        agentId: conversation.agentId,
        parentId: null,
        callId: 'call_2',
        name: 'pay',
        arguments: { amount: 12.5, snake_case: { innerKey: [] } },
        status: 1,
        approval: 'approved',
        decidedBy: { kind: 'key', id: 'k', name: 'console' },
        decidedAt: '2026-01-01T12:00:00.000Z',
        result: { text: 'paid', button_label: 'Show' },
        executionTimeSeconds: 1.234,
      },
    ]);
  });

  it('are read through page by page, 1,000 of them, many at one position', async () => {
    await api.database.asSystem(({ trx }) =>
      sql`insert into messages (organization_id, conversation_id, position, role, content, status, created_at)
          select ${tenant.id}::uuid, ${conversation.id}::uuid, n / 3, 'user', n, 'completed', now() - n * interval '1 s'
          from generate_series(0, 999) n`.execute(trx),
    );
    const walked: Message[] = [];
    for (let offset = 0; offset < 1000; offset += 70) {
      const { items, total } = await page(`?Offset=${offset}&Limit=70`);
      expect(total).to.equal(1000);
      walked.push(...items);
    }
    expect(new Set(walked.map(({ id }) => id)).size).to.equal(1000);
    expect(walked.map(({ content }) => Math.floor(Number(content) / 3))).to.deep.equal(
      Array.from({ length: 1000 }, (_, n) => Math.floor(n / 3)),
    );
    expect(await page('?Offset=1000')).to.deep.include({ items: [], total: 1000 });
  });

  it('are a page like any other list: 400 for what is not in the contract', async () => {
    for (const query of ['Limit=0', 'Limit=201', 'Offset=-1', 'AgentId=x', 'Limit=1&Limit=2']) {
      const path = `/api/v1/Conversation/${conversation.id}/message?${query}`;
      expect((await tenant.client.get(path)).status, query).to.equal(400);
    }
  });
});
