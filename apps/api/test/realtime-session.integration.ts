import { expect } from 'chai';
import { createSessionTokens, hashSessionToken } from '@parley/session-store';
import { needs, startRedisServer } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode, type Reply } from './support/contract-client.js';

type Session = {
  sessionId: string;
  conversationId: string;
  webSocketPath: string;
  expiresAt: string;
};

const absent = '99999999-9999-4999-8999-999999999999';
const tool = { name: 'show_map', description: 'Shows a map' };

describe('creating a realtime session', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let agentId: string;

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    agentId = await newAgent(tenant);
  });
  after(() => api.stop());

  const newAgent = async (of: Tenant, fields: object = {}): Promise<string> => {
    const { status, body } = await of.client.post('/api/v1/Agent', { name: 'A', ...fields });
    expect(status, JSON.stringify(body)).to.equal(201);
    return (body as { id: string }).id;
  };
  const create = (body?: unknown, id = agentId): Promise<Reply> =>
    tenant.client.post(`/api/v1/Agent/${id}/realtime-session`, body);
  const consume = (token: string) =>
    createSessionTokens(api.redis).consume(hashSessionToken(token), 'attempt');

  it('answers 200 with everything a client needs, also without a body', async () => {
    for (const body of [undefined, {}]) {
      const reply = await create(body);
      expect(reply.status).to.equal(200);
      const session = reply.body as Session;
      expect(session.sessionId).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect(session.webSocketPath).to.equal(
        `/api/v1/Agent/${agentId}/realtime?conversationId=${session.conversationId}&sessionId=${session.sessionId}`,
      );
      expect(reply.body).to.include({
        maxSessionSeconds: 1800,
        idleTimeoutSeconds: 60,
        providerModelName: 'gpt-realtime',
      });
      expect(reply.body).to.deep.include({
        supportedInputAudioFormats: ['pcm16'],
        supportedOutputAudioFormats: ['pcm16'],
      });
      expect(Date.parse(session.expiresAt) - Date.now()).to.be.within(50_000, 70_000);
    }
  });

  it('keeps in the ticket what was asked for, with the agent’s voice as the default', async () => {
    const id = await newAgent(tenant, { voice: 'verse' });
    const first = (await create({ additionalInstructions: 'Be kind.', clientTools: [tool] }, id))
      .body as Session;
    expect(await consume(first.sessionId)).to.deep.equal({
      outcome: 'redeemed',
      ticket: {
        organizationId: tenant.id,
        agentId: id,
        conversationId: first.conversationId,
        keyId: tenant.keyId,
        voice: 'verse',
        inputAudioFormat: 'pcm16',
        outputAudioFormat: 'pcm16',
        turnDetection: { type: 'semantic_vad' },
        outputModalities: ['audio'],
        additionalInstructions: 'Be kind.',
        clientTools: [tool],
        fileIds: [],
      },
    });
    const second = (await create({ voice: 'marin' }, id)).body as Session;
    expect(await consume(second.sessionId)).to.have.nested.property('ticket.voice', 'marin');
  });

  it('says how long a resumable session waits for its client, and of others nothing', async () => {
    const { body } = await create({ resumable: true });
    expect(body).to.have.property('resumeGraceSeconds', 30);
    const { sessionId } = body as Session;
    expect(await consume(sessionId)).to.have.nested.property('ticket.resumable', true);
    for (const request of [{}, { resumable: false }])
      expect((await create(request)).body).to.not.have.property('resumeGraceSeconds');
    expect((await create({ resumable: 'yes' })).status).to.equal(400);
  });

  it('finds turns and answers as asked for, else as the agent does', async () => {
    const turnDetection = { type: 'server_vad', threshold: 0.6, silenceDurationMs: 300 };
    const id = await newAgent(tenant, { turnDetection, outputModalities: ['text'] });
    const first = (await create({}, id)).body as Session;
    const { ticket: agents } = (await consume(first.sessionId)) as { ticket: object };
    expect(agents).to.deep.include({ turnDetection, outputModalities: ['text'] });
    const asked = { turnDetection: { type: 'none' }, outputModalities: ['audio'] };
    const second = (await create(asked, id)).body as Session;
    const { ticket } = (await consume(second.sessionId)) as { ticket: object };
    expect(ticket).to.deep.include(asked);
  });

  const turns: [unknown, string][] = [
    [{ turnDetection: null }, '/turnDetection'],
    [{ turnDetection: 'none' }, '/turnDetection'],
    [{ turnDetection: { type: 'psychic' } }, '/turnDetection/type'],
    [{ turnDetection: {} }, '/turnDetection'],
    [{ turnDetection: { type: 'none', eagerness: 'low' } }, '/turnDetection/eagerness'],
    [{ turnDetection: { type: 'semantic_vad', threshold: 1 } }, '/turnDetection/threshold'],
    [{ turnDetection: { type: 'semantic_vad', eagerness: 'wild' } }, '/turnDetection/eagerness'],
    [{ turnDetection: { type: 'server_vad', threshold: 1.1 } }, '/turnDetection/threshold'],
    [{ turnDetection: { type: 'server_vad', idleTimeoutMs: 1 } }, '/turnDetection/idleTimeoutMs'],
    [
      { turnDetection: { type: 'server_vad', createResponse: 'no' } },
      '/turnDetection/createResponse',
    ],
    [{ outputModalities: [] }, '/outputModalities'],
    [{ outputModalities: ['audio', 'text'] }, '/outputModalities'],
    [{ outputModalities: ['video'] }, '/outputModalities/0'],
    [{ outputModalities: 'text' }, '/outputModalities'],
  ];
  for (const [body, path] of turns)
    it(`refuses ${JSON.stringify(body)}, here and on the agent`, async () => {
      const onAgent = await tenant.client.patch(`/api/v1/Agent/${agentId}`, body);
      for (const reply of [await create(body), onAgent]) {
        expect(reply.status).to.equal(400);
        const { errors } = reply.body as { errors: { path: string }[] };
        expect(errors.map((error) => error.path)).to.include(path);
      }
    });

  it('makes a new conversation each time, or continues a given one', async () => {
    const first = (await create()).body as Session;
    const second = (await create({ conversationId: null })).body as Session;
    expect(first.conversationId).not.to.equal(second.conversationId);
    const again = (await create({ conversationId: first.conversationId.toUpperCase() }))
      .body as Session;
    expect(again.conversationId).to.equal(first.conversationId);
  });

  it('refuses another agent’s conversation with 400, another organization’s and an absent one with the same 404', async () => {
    const elsewhere = (await create({}, await newAgent(tenant))).body as Session;
    const mixed = await create({ conversationId: elsewhere.conversationId });
    expect(mixed.status).to.equal(400);
    expect(mixed.body).to.have.nested.property('errors[0].path', '/conversationId');
    const other = await api.organization();
    const foreign = (
      await other.client.post(`/api/v1/Agent/${await newAgent(other)}/realtime-session`)
    ).body as Session;
    const [a, b] = [
      await create({ conversationId: foreign.conversationId }),
      await create({ conversationId: absent }),
    ];
    expect([a.status, b.status]).to.deep.equal([404, 404]);
    expect(a.body).to.deep.equal(b.body);
  });

  it('answers 404 for an absent agent whatever the body is', async () => {
    expect((await create({ nonsense: true }, absent)).status).to.equal(404);
  });

  it('stores the token nowhere but as a hash', async () => {
    const { sessionId } = (await create()).body as Session;
    const keys = await api.redis.keys('*');
    const values = await Promise.all(keys.map((key) => api.redis.dump(key).then(String)));
    expect([...keys, ...values].join()).not.to.include(sessionId);
    expect(api.logLines.join()).not.to.include(sessionId);
    expect(await api.metrics.registry.metrics()).not.to.include(sessionId);
  });

  describe('with client tools', () => {
    const bad: [string, unknown, string][] = [
      ['no name', [{ description: 'x' }], '/clientTools/0'],
      ['an empty name', [{ ...tool, name: '' }], '/clientTools/0/name'],
      ['a blank name', [{ ...tool, name: ' ' }], '/clientTools/0/name'],
      ['a name of 10 KB', [{ ...tool, name: 'x'.repeat(10_000) }], '/clientTools/0/name'],
      ['a name with a line break', [{ ...tool, name: 'a\nb' }], '/clientTools/0/name'],
      ['no description', [{ name: 'x' }], '/clientTools/0'],
      ['a blank description', [{ name: 'x', description: ' \n' }], '/clientTools/0/description'],
      ['the same name twice', [tool, tool], '/clientTools/1/name'],
      ['the name of a backend tool', [{ ...tool, name: 'current_time' }], '/clientTools/0/name'],
      ['parameters that are null', [{ ...tool, parameters: null }], '/clientTools/0/parameters'],
      ['parameters that are a list', [{ ...tool, parameters: [] }], '/clientTools/0/parameters'],
      [
        'parameters that are a text',
        [{ ...tool, parameters: 'object' }],
        '/clientTools/0/parameters',
      ],
      [
        'parameters of another type',
        [{ ...tool, parameters: { type: 'array' } }],
        '/clientTools/0/parameters/type',
      ],
      [
        'a remote reference',
        [{ ...tool, parameters: { properties: { a: { $ref: 'http://x/' } } } }],
        '/clientTools/0/parameters/properties/a/$ref',
      ],
      [
        'a pattern that explodes',
        [{ ...tool, parameters: { properties: { a: { pattern: '^(a|a)*$' } } } }],
        '/clientTools/0/parameters/properties/a/pattern',
      ],
      [
        'a large schema',
        [{ ...tool, parameters: { description: 'x'.repeat(40_000) } }],
        '/clientTools/0/parameters',
      ],
      [
        'a deep schema',
        [{ ...tool, parameters: nested(17) }],
        `/clientTools/0/parameters${'/not'.repeat(16)}`,
      ],
      ['an unknown field', [{ ...tool, strict: true }], '/clientTools/0/strict'],
      [
        'a thousand of them',
        Array.from({ length: 1000 }, (_, i) => ({ ...tool, name: `t${i}` })),
        '/clientTools',
      ],
      ['an object instead of a list', {}, '/clientTools'],
    ];
    for (const [title, clientTools, path] of bad)
      it(`refuses ${title}`, async () => {
        const id = await newAgent(tenant, { tools: [{ kind: 'builtin', name: 'current_time' }] });
        const reply = await create({ clientTools }, id);
        expect(reply.status).to.equal(400);
        expect(problemCode(reply)).to.equal('body-invalid');
        expect(
          (reply.body as { errors: { path: string }[] }).errors.map(({ path: at }) => at),
        ).to.include(path);
      });

    it('takes names that differ in case only, and names of objects’ own properties', async () => {
      const clientTools = ['Map', 'map', 'constructor', 'toString'].map((name) => ({
        ...tool,
        name,
      }));
      expect((await create({ clientTools })).status).to.equal(200);
    });
  });

  for (const [title, body] of [
    ['a conversation id that is none', { conversationId: 'x' }],
    ['instructions of 1 MB', { additionalInstructions: 'x'.repeat(1_000_000) }],
    ['instructions with NUL', { additionalInstructions: 'a\0b' }],
    ['an unknown field', { instructions: 'x' }],
    ['a voice that is a number', { voice: 1 }],
    ['a list', []],
  ] as const)
    it(`refuses ${title}`, async () => expect((await create(body)).status).to.equal(400));

  it('has a budget of its own', async () => {
    const own = await startApi({ sessionsPerMinute: 2 });
    const on = await own.organization();
    const id = await newAgent(on);
    const statuses = [];
    for (let i = 0; i < 3; i += 1)
      statuses.push((await on.client.post(`/api/v1/Agent/${id}/realtime-session`)).status);
    expect(statuses).to.deep.equal([200, 200, 429]);
    expect((await on.client.get('/api/v1/Agent')).status).to.equal(200);
    await own.stop();
  });

  describe('without Redis', () => {
    needs('redis-server');

    it('answers 503 with Retry-After while Redis is gone, and leaves no conversation behind', async () => {
      const redis = await startRedisServer();
      const own = await startApi({ redisUrl: redis.url });
      const on = await own.organization();
      const id = await newAgent(on);
      await redis.kill();
      const reply = await on.client.post(`/api/v1/Agent/${id}/realtime-session`);
      expect(reply.status).to.equal(503);
      expect(reply.headers.get('retry-after')).to.equal('5');
      expect(problemCode(reply)).to.equal('service-unavailable');
      const left = await own.database.asSystem(({ trx }) =>
        trx.selectFrom('conversations').selectAll().execute(),
      );
      expect(left).to.deep.equal([]);
      await own.stop();
      await redis.stop();
    });
  });
});

/** A schema of so many levels. */
function nested(levels: number): object {
  return levels === 1 ? {} : { not: nested(levels - 1) };
}
