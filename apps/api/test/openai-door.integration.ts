import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { createSessionTokens, hashSessionToken } from '@parley/session-store';
import type { Tenant } from './support/api-under-test.js';
import { openAiClient, refusal } from './support/openai-client.js';
import { QuestionStage } from './support/question-stage.js';

describe('OpenAI’s client with another base URL and key', () => {
  let stage: QuestionStage;
  let client: OpenAI;
  let agentId: string;
  let other: Tenant;

  before(async () => {
    stage = await QuestionStage.open();
    other = await stage.api.organization();
    client = openAiClient(stage, stage.tenant.key);
    agentId = await stage.agent([stage.bell()]);
  });
  beforeEach(() => {
    stage.rings.length = 0;
  });
  after(() => stage.close());

  const ask = (content: string, more: object = {}) =>
    client.chat.completions.create({
      model: agentId,
      messages: [{ role: 'user', content }],
      ...more,
    });

  const clientOf = (apiKey: string, more: object = {}) => openAiClient(stage, apiKey, more);

  describe('models', () => {
    it('are the agents of the organization', async () => {
      const ids: string[] = [];
      for await (const model of client.models.list()) ids.push(model.id);
      expect(ids).to.include(agentId);
      const model = await client.models.retrieve(agentId);
      expect(model).to.include({ id: agentId, object: 'model', name: 'Ada' });
      expect(model.created).to.be.closeTo(Date.now() / 1000, 600);
    });

    it('are not those of another organization', async () => {
      const { data } = await clientOf(other.key).models.list();
      expect(data).to.deep.equal([]);
      const theirs = await refusal(clientOf(other.key).models.retrieve(agentId));
      const absent = await refusal(clientOf(other.key).models.retrieve(randomUUID()));
      const odd = await refusal(clientOf(other.key).models.retrieve('gpt-4o'));
      for (const error of [theirs, absent, odd])
        expect(error).to.include({ status: 404, code: 'model_not_found' });
      expect(theirs.message).to.equal(absent.message);
    });
  });

  describe('a client secret', () => {
    const secretFor = (session: object, more: object = {}) =>
      client.realtime.clientSecrets.create({ session, ...more } as never);

    it('is a one-time token of the agent’s, with what the backend decided', async () => {
      const tools = [{ type: 'function', name: 'show_map', parameters: { type: 'object' } }];
      const { value, expires_at, session } = await secretFor({
        type: 'realtime',
        model: agentId,
        instructions: 'Be brief.',
        output_modalities: ['text'],
        audio: {
          output: { voice: 'marin' },
          input: {
            format: { type: 'audio/pcm', rate: 24000 },
            turn_detection: { type: 'server_vad', silence_duration_ms: 300 },
          },
        },
        tools,
      });
      expect(value).to.match(/^ek_[\w-]{43}$/);
      expect(expires_at).to.be.greaterThan(Date.now() / 1000);
      expect(session).to.include({ type: 'realtime', model: agentId, instructions: 'Be brief.' });
      const consumed = await createSessionTokens(stage.api.redis).consume(
        hashSessionToken(value.slice(3)),
        'attempt',
      );
      expect(consumed.outcome === 'redeemed' && consumed.ticket).to.deep.include({
        agentId,
        organizationId: stage.tenant.id,
        keyId: stage.tenant.keyId,
        voice: 'marin',
        turnDetection: { type: 'server_vad', silenceDurationMs: 300 },
        outputModalities: ['text'],
        additionalInstructions: 'Be brief.',
        clientTools: [
          { name: 'show_map', description: 'show_map', parameters: { type: 'object' } },
        ],
      });
    });

    it('lives as long as asked for, and no longer than the deployment lets it', async () => {
      const session = { type: 'realtime', model: agentId };
      const short = { expires_after: { anchor: 'created_at', seconds: 10 } };
      const long = { expires_after: { anchor: 'created_at', seconds: 7200 } };
      for (const [asked, seconds] of [
        [short, 10],
        [long, 60],
      ] as const) {
        const before = Date.now() / 1000;
        const { expires_at } = await secretFor(session, asked);
        const [least, most] = [before + seconds - 1, Date.now() / 1000 + seconds + 1];
        expect(expires_at).to.be.within(least, most);
      }
    });

    it('is refused for what cannot be had', async () => {
      const cases: [object, object][] = [
        [{ type: 'realtime' }, { status: 400, param: 'session' }],
        [{ model: randomUUID() }, { status: 404, code: 'model_not_found' }],
        [{ model: agentId, type: 'transcription' }, { status: 400 }],
        [
          { model: agentId, tools: [{ type: 'mcp' }] },
          { status: 400, param: 'session.tools[0]' },
        ],
        [
          { model: agentId, tools: [{ type: 'function', name: 'bell' }] },
          { status: 400, param: 'session.tools[0].name' },
        ],
        [
          { model: agentId, audio: { input: { turn_detection: { type: 'magic' } } } },
          { status: 400, param: 'session.audio.input.turn_detection' },
        ],
        [
          { model: agentId, output_modalities: ['smell'] },
          { status: 400, param: 'session.output_modalities[0]' },
        ],
        [
          { model: agentId, audio: { input: { format: { type: 'audio/pcmu' } } } },
          { status: 400, code: 'RealtimeAudioFormatUnsupported' },
        ],
      ];
      for (const [session, expected] of cases)
        expect(await refusal(secretFor(session)), JSON.stringify(session)).to.include(expected);
    });
  });

  describe('a request that is refused', () => {
    it('says why in OpenAI’s words', async () => {
      const wrong = await refusal(clientOf('sk-wrong').models.list());
      expect(wrong).to.be.instanceOf(OpenAI.AuthenticationError);
      expect(wrong).to.include({ status: 401, code: 'invalid_api_key' });
      const mismatched = clientOf(stage.tenant.key, { organization: other.id });
      expect(await refusal(mismatched.models.list())).to.include({
        status: 403,
        code: 'mismatched_organization',
      });
      const own = clientOf(stage.tenant.key, { organization: stage.tenant.id });
      expect((await own.models.list()).data).not.to.deep.equal([]);
      const narrow = await stage.api.organization({ scopes: ['agents'] });
      const messages = [{ role: 'user' as const, content: 'Hi.' }];
      const scoped = clientOf(narrow.key).chat.completions.create({ model: agentId, messages });
      expect(await refusal(scoped)).to.include({ status: 403, code: 'insufficient_permissions' });
    });

    it('is not answered for an agent of another organization', async () => {
      const messages = [{ role: 'user' as const, content: 'Hi.' }];
      const stranger = clientOf(other.key).chat.completions;
      const theirs = await refusal(stranger.create({ model: agentId, messages }));
      const absent = await refusal(stranger.create({ model: randomUUID(), messages }));
      expect(theirs).to.include({ status: 404, code: 'model_not_found' });
      expect(theirs.message).to.equal(absent.message);
    });

    it('does not continue a conversation of another organization', async () => {
      const { conversationId } = await stage.answer(agentId, '!say Secret.');
      const { body } = await other.client.post('/api/v1/Agent', { name: 'Eve' });
      const asked = clientOf(other.key).chat.completions.create({
        model: (body as { id: string }).id,
        messages: [{ role: 'user', content: 'Hi.' }],
        metadata: { conversationId },
      });
      expect(await refusal(asked)).to.include({ status: 404 });
    });

    it('does not continue a conversation of another agent', async () => {
      const { conversationId } = await stage.answer(await stage.agent(), '!say Elsewhere.');
      const error = await refusal(ask('Hi.', { metadata: { conversationId } }));
      expect(error).to.include({ status: 400, param: 'metadata.conversationId' });
    });

    it('names the place of what is wrong', async () => {
      const image = [{ type: 'image_url', image_url: { url: 'https://example.com/x.png' } }];
      const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
      const cases: [object, string][] = [
        [{ messages: [{ role: 'user', content: image }] }, 'messages[0].content[0]'],
        [{ messages: [] }, 'messages'],
        [{ messages: [{ role: 'system', content: 'Only this.' }] }, 'messages'],
        [{ messages: [{ role: 'elf', content: 'Hi.' }] }, 'messages[0].role'],
        [
          { messages: [{ role: 'tool', content: 'x', tool_call_id: 'c' }] },
          'messages[0].tool_call_id',
        ],
        [{ messages: [{ role: 'assistant', tool_calls: [call] }] }, 'messages'],
        [{ n: 2 }, 'n'],
        [{ tools: [{ type: 'web_search' }] }, 'tools[0]'],
        [{ tools: [{ type: 'function', function: { name: 'a b' } }] }, 'tools[0].function.name'],
        [{ metadata: { conversationId: 'x' } }, 'metadata.conversationId'],
      ];
      for (const [more, param] of cases) {
        const error = await refusal(ask('Hi.', more));
        expect(error, JSON.stringify(more)).to.include({ status: 400, param });
      }
    });

    it('may be huge or no JSON at all', async () => {
      const send = (body: string, type = 'application/json') =>
        fetch(`${stage.api.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${stage.tenant.key}`, 'Content-Type': type },
          body,
        });
      const cases: [Promise<Response>, number][] = [
        [send('x'.repeat(2_000_000)), 413],
        [send('{"model":'), 400],
        [send('[]'), 400],
        [send(''), 400],
        [send('{}', 'text/plain'), 415],
        [fetch(`${stage.api.url}/v1/embeddings`), 404],
        [fetch(`${stage.api.url}/v1/models`), 401],
      ];
      for (const [sent, status] of cases) {
        const response = await sent;
        expect(response.status).to.equal(status);
        const { error } = (await response.json()) as { error: Record<string, unknown> };
        expect(error).to.have.all.keys('message', 'type', 'param', 'code');
      }
    });

    it('is told when to come back', async () => {
      const api = stage.api;
      await api.database.asSystem(({ trx }) =>
        trx
          .insertInto('organizationQuotas')
          .values({ organizationId: other.id, quota: 'tokensPerDay', value: 0 })
          .execute(),
      );
      const { body } = await other.client.post('/api/v1/Agent', { name: 'Eve' });
      const messages = [{ role: 'user' as const, content: 'Hi.' }];
      const model = (body as { id: string }).id;
      const error = await refusal(clientOf(other.key).chat.completions.create({ model, messages }));
      expect(error).to.include({ status: 429, code: 'insufficient_quota' });
      expect(Number(error.headers!.get('retry-after'))).to.be.greaterThan(0);
    });
  });

  it('finds nothing under /v1 when the door is shut', async () => {
    const shut = await QuestionStage.open({ door: false });
    try {
      const response = await fetch(`${shut.api.url}/v1/models`, {
        headers: { Authorization: `Bearer ${shut.tenant.key}` },
      });
      expect(response.status).to.equal(404);
    } finally {
      await shut.close();
    }
  });
});
