import { expect } from 'chai';
import type { Conversation } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode } from './support/contract-client.js';
import { recordSeed } from './support/record-seed.js';

const absent = '99999999-9999-4999-8999-999999999999';

describe('Conversation', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let seed: ReturnType<typeof recordSeed>;

  before(async () => {
    api = await startApi();
  });
  beforeEach(async () => {
    tenant = await api.organization();
    seed = recordSeed(api.database, tenant.id);
  });
  after(() => api.stop());

  const newAgent = async (): Promise<string> =>
    ((await tenant.client.post('/api/v1/Agent', { name: 'A' })).body as { id: string }).id;
  const list = async (query = ''): Promise<{ items: Conversation[]; total: number }> => {
    const reply = await tenant.client.get(`/api/v1/Conversation${query}`);
    expect(reply.status).to.equal(200);
    return reply.body as { items: Conversation[]; total: number };
  };
  const idsOf = ({ items }: { items: Conversation[] }) => items.map(({ id }) => id);

  describe('listed', () => {
    it('is shown with its agent and how many messages it has, oldest first', async () => {
      const agentId = await newAgent();
      const first = await seed.conversation(agentId);
      const second = await seed.conversation(agentId);
      for (const position of [1, 2, 3]) await seed.message(second, { position });
      expect(await list()).to.deep.equal({
        items: [
          { ...first, messageCount: 0, outcome: 'completed' },
          { ...second, messageCount: 3, outcome: 'completed' },
        ].map(({ createdAt, updatedAt, ...rest }) => ({
          ...rest,
          createdAt: createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
        })),
        total: 2,
        offset: 0,
        limit: 50,
      });
    });

    it('is found page by page, from either end', async () => {
      const agentId = await newAgent();
      const all: string[] = [];
      for (let count = 0; count < 7; count += 1) all.push((await seed.conversation(agentId)).id);
      const walked: string[] = [];
      for (let offset = 0; offset < 7; offset += 2) {
        const page = await list(`?Offset=${offset}&Limit=2&AgentId=${agentId}`);
        expect(page.total).to.equal(7);
        walked.push(...idsOf(page));
      }
      expect(walked).to.deep.equal(all);
      expect(idsOf(await list('?Offset=7'))).to.deep.equal([]);
    });

    it('is filtered by its agent, whose id may be in capitals and who may be deleted', async () => {
      const [ours, others] = [await newAgent(), await newAgent()];
      const { id } = await seed.conversation(ours);
      await seed.conversation(others);
      await tenant.client.delete(`/api/v1/Agent/${ours}`);
      const found = await list(`?AgentId=${ours.toUpperCase()}`);
      expect(idsOf(found)).to.deep.equal([id]);
      expect(found.total).to.equal(1);
    });

    it('is hidden from another organization, which learns nothing from its agent’s id', async () => {
      const agentId = await newAgent();
      await seed.conversation(agentId);
      const other = await api.organization();
      for (const query of ['', `?AgentId=${agentId}`, `?AgentId=${absent}`]) {
        const reply = await other.client.get(`/api/v1/Conversation${query}`);
        expect(reply.body).to.deep.equal({ items: [], total: 0, offset: 0, limit: 50 });
      }
    });

    for (const value of [
      '',
      'x',
      '1',
      'null',
      `${absent}x`,
      `%20${absent}`,
      `{${absent}}`,
      absent.replaceAll('-', ''),
      `${absent}%00`,
      `${absent}&AgentId=${absent}`,
      '%27%20or%201=1--',
      'a'.repeat(4000),
    ])
      it(`is not filtered by AgentId=${value.slice(0, 50)}`, async () => {
        const reply = await tenant.client.get(`/api/v1/Conversation?AgentId=${value}`);
        expect(reply.status).to.equal(400);
        expect(problemCode(reply)).to.equal('query-invalid');
        expect((reply.body as { errors: { path: string }[] }).errors[0]?.path).to.equal('AgentId');
      });
  });

  describe('read', () => {
    const model = 'gpt-realtime';
    const nothing = {
      inputTextTokens: 0,
      inputAudioTokens: 0,
      inputCachedTokens: 0,
      outputTextTokens: 0,
      outputAudioTokens: 0,
      transcriptionSeconds: 0,
    };

    it('has its sessions, and what each of them and all together used per model', async () => {
      const conversation = await seed.conversation(await newAgent());
      const first = await seed.session(conversation);
      const second = await seed.session(conversation);
      await seed.endSession(first, { endReason: 'IdleTimeout', closeCode: 4411 });
      const response = { source: 'response', model, inputTextTokens: 10 } as const;
      await seed.usage(conversation, { ...response, sessionId: first, inputAudioTokens: 100 });
      await seed.usage(conversation, { ...response, sessionId: first, outputAudioTokens: 7 });
      await seed.usage(conversation, {
        ...response,
        sessionId: second,
        inputTextTokens: 3_000_000_000,
        inputCachedTokens: 5,
        outputTextTokens: 2,
      });
      const heard = { source: 'transcription', model: 'whisper-1' } as const;
      for (const transcriptionSeconds of [0.1, 0.2])
        await seed.usage(conversation, { ...heard, sessionId: first, transcriptionSeconds });

      const { body } = await tenant.client.get(`/api/v1/Conversation/${conversation.id}`);
      const whisper = { ...nothing, model: 'whisper-1', transcriptionSeconds: 0.3 };
      const { usage, sessions } = body as { usage: unknown[]; sessions: { endedAt: string }[] };
      expect(usage).to.deep.equal([
        {
          model,
          inputTextTokens: 3_000_000_020,
          inputAudioTokens: 100,
          inputCachedTokens: 5,
          outputTextTokens: 2,
          outputAudioTokens: 7,
          transcriptionSeconds: 0,
        },
        whisper,
      ]);
      expect(sessions).to.have.length(2);
      expect(sessions[0]).to.deep.include({
        id: first,
        endReason: 'IdleTimeout',
        closeCode: 4411,
        usage: [
          { ...nothing, model, inputTextTokens: 20, inputAudioTokens: 100, outputAudioTokens: 7 },
          whisper,
        ],
      });
      expect(sessions[0]?.endedAt).to.be.a('string');
      expect(sessions[1]).to.deep.include({
        id: second,
        endedAt: null,
        endReason: null,
        closeCode: null,
      });
    });

    it('is empty while nothing was said', async () => {
      const { id, agentId } = await seed.conversation(await newAgent());
      expect((await tenant.client.get(`/api/v1/Conversation/${id}`)).body).to.deep.include({
        id,
        agentId,
        messageCount: 0,
        usage: [],
        sessions: [],
      });
    });
  });

  for (const [method, suffix] of [
    ['GET', ''],
    ['GET', '/message'],
    ['DELETE', ''],
  ] as const) {
    it(`answers 404 to ${method} Conversation/id${suffix} alike for an absent and for another organization’s`, async () => {
      const { id } = await seed.conversation(await newAgent());
      const other = await api.organization();
      const [foreign, missing] = await Promise.all(
        [id, absent].map((target) =>
          other.client.request(method, `/api/v1/Conversation/${target}${suffix}`),
        ),
      );
      expect(foreign?.status).to.equal(404);
      expect(foreign?.body).to.deep.equal(missing?.body);
      expect((await tenant.client.get(`/api/v1/Conversation/${id}`)).status).to.equal(200);
    });

    it(`answers 403 to ${method} Conversation/id${suffix} without the scope, 400 with a malformed id`, async () => {
      const { client } = await api.organization({ scopes: ['agents', 'realtime'] });
      const refused = await client.request(method, `/api/v1/Conversation/${absent}${suffix}`);
      expect(problemCode(refused)).to.equal('scope-missing');
      const malformed = await tenant.client.request(method, `/api/v1/Conversation/1${suffix}`);
      expect(problemCode(malformed)).to.equal('id-malformed');
    });
  }
});
