import { expect } from 'chai';
import { changeAgentSecrets } from '@parley/database';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';

const absent = '99999999-9999-4999-8999-999999999999';
const weather = {
  kind: 'http',
  name: 'get_weather',
  description: 'Tells the weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  method: 'GET',
  url: 'https://weather.example/v1/{{city}}',
  headers: { Authorization: 'Bearer {{secret:WEATHER_KEY}}' },
};

type AgentBody = {
  id: string;
  tools: unknown[];
  secretNames: string[];
  updatedAt: string;
  name: string;
};

describe('Agent', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let other: Tenant;

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    other = await api.organization();
  });
  after(() => api.stop());

  const create = async (body: object): Promise<AgentBody> => {
    const reply = await tenant.client.post('/api/v1/Agent', body);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body as AgentBody;
  };
  const errorsOf = (reply: { body: unknown }) =>
    (reply.body as { errors: { path: string }[] }).errors.map(({ path }) => path);

  it('is found by what its name or its description holds', async () => {
    await create({ name: 'Needle 100%_A' });
    await create({ name: 'Other', description: 'knows the NEEDLE 100%_a, too' });
    await create({ name: 'Needle 100xxA' });
    await other.client.post('/api/v1/Agent', { name: 'Needle 100%_A of others' });
    const find = async (search: string) => {
      const query = `Search=${encodeURIComponent(search)}&Limit=1`;
      const { body } = await tenant.client.get(`/api/v1/Agent?${query}`);
      const { items, total } = body as { items: AgentBody[]; total: number };
      return [total, ...items.map(({ name }) => name)];
    };
    expect(await find('needle 100%_a')).to.deep.equal([2, 'Needle 100%_A']);
    expect(await find('\\')).to.deep.equal([0]);
    expect((await tenant.client.get('/api/v1/Agent?Search=')).status).to.equal(400);
  });

  it('follows the default model until it is given another', async () => {
    const { id } = await create({ name: 'Follower' });
    const path = `/api/v1/Agent/${id}`;
    const chosen = async () => {
      const { model } = await api.database.asSystem(({ trx }) =>
        trx.selectFrom('agents').select('model').where('id', '=', id).executeTakeFirstOrThrow(),
      );
      return model;
    };
    const { name, model } = (await tenant.client.get(path)).body as { name: string; model: string };
    expect((await tenant.client.put(path, { name, model })).status).to.equal(200);
    expect(await chosen()).to.equal(null);
    expect((await tenant.client.patch(path, { model })).status).to.equal(200);
    expect(await chosen()).to.equal(null);
    await tenant.client.patch(path, { model: 'another' });
    await tenant.client.patch(path, { model });
    expect(await chosen()).to.equal(model);
  });

  it('is created with defaults, and read back at its Location', async () => {
    const reply = await tenant.client.post('/api/v1/Agent', { name: 'Greeter' });
    const agent = reply.body as AgentBody;
    expect(reply.status).to.equal(201);
    expect(reply.headers.get('location')).to.equal(`/api/v1/Agent/${agent.id}`);
    expect(agent).to.include({
      name: 'Greeter',
      description: '',
      systemMessage: '',
      connectionId: null,
      model: 'gpt-realtime',
      textModel: null,
      voice: 'alloy',
      realtimeEnabled: true,
    });
    expect(agent).to.deep.include({
      turnDetection: { type: 'semantic_vad' },
      outputModalities: ['audio'],
      tools: [],
    });
    expect((await tenant.client.get(`/api/v1/Agent/${agent.id}`)).body).to.deep.equal(agent);
  });

  it('is found under an id in capitals', async () => {
    const { id } = await create({ name: 'A' });
    expect((await tenant.client.get(`/api/v1/Agent/${id.toUpperCase()}`)).status).to.equal(200);
  });

  it('is replaced as a whole by PUT and in part by PATCH', async () => {
    const { id } = await create({ name: 'A', description: 'first', voice: 'verse' });
    const patched = await tenant.client.patch(`/api/v1/Agent/${id}`, { description: 'second' });
    expect(patched.body).to.include({ name: 'A', description: 'second', voice: 'verse' });
    const replaced = await tenant.client.put(`/api/v1/Agent/${id}`, { name: 'B' });
    expect(replaced.body).to.include({ name: 'B', description: '', voice: 'alloy' });
  });

  it('keeps how its sessions find turns and answer, until PUT leaves it out', async () => {
    const turns = {
      turnDetection: { type: 'semantic_vad', eagerness: 'low', interruptResponse: false },
      outputModalities: ['text'],
    };
    const { id } = await create({ name: 'A', ...turns });
    const patched = await tenant.client.patch(`/api/v1/Agent/${id}`, { description: 'second' });
    expect(patched.body).to.deep.include(turns);
    const replaced = await tenant.client.put(`/api/v1/Agent/${id}`, { name: 'B' });
    expect(replaced.body).to.deep.include({ outputModalities: ['audio'] });
    expect(replaced.body).to.have.nested.property('turnDetection.type', 'semantic_vad');
  });

  it('keeps secrets through changes, never shows them, and removes one on null', async () => {
    const agent = await create({
      name: 'A',
      tools: [weather],
      secrets: { WEATHER_KEY: 'w3ather-s3cret', OTHER: 'x' },
    });
    expect(agent.secretNames).to.deep.equal(['OTHER', 'WEATHER_KEY']);
    const replaced = await tenant.client.put(`/api/v1/Agent/${agent.id}`, {
      name: 'A',
      tools: [weather],
      secrets: { OTHER: null },
    });
    expect(replaced.body).to.have.property('secretNames').that.deep.equals(['WEATHER_KEY']);
    expect(JSON.stringify([agent, replaced.body])).not.to.include('s3cret');
    const stored = await api.database.asSystem(({ trx }) =>
      trx.selectFrom('agentSecrets').selectAll().execute(),
    );
    expect(stored.some(({ secret }) => secret.includes('s3cret'))).to.equal(false);
  });

  it('stores a limited number of secrets, however many requests send them', async () => {
    const values = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`S${from + n}`, 'x']));
    const { id } = await create({ name: 'A', secrets: values(0, 31) });
    const send = (secrets: object) => tenant.client.patch(`/api/v1/Agent/${id}`, { secrets });
    const refused = await send(values(31, 2));
    expect(refused.status).to.equal(400);
    expect(errorsOf(refused)).to.deep.equal(['/secrets']);
    expect((await send(values(31, 1))).status).to.equal(200);
    expect((await send({ S0: null, S32: 'x' })).status).to.equal(200);
    expect((await send({ S0: 'x' })).status).to.equal(400);
  });

  it('can be changed, and to fewer secrets, if it has more than it may store', async () => {
    const { id } = await create({ name: 'A', secrets: { S0: 'x' } });
    await api.database.inOrganization(tenant.id, (scope) =>
      changeAgentSecrets(
        scope,
        id,
        new Map(Array.from({ length: 40 }, (_, n) => [`S${n}`, Buffer.from('sealed')])),
      ),
    );
    const patch = (body: object) => tenant.client.patch(`/api/v1/Agent/${id}`, body);
    expect((await patch({ name: 'B' })).body)
      .to.have.property('secretNames')
      .with.lengthOf(40);
    expect((await patch({ secrets: { S40: 'x' } })).status).to.equal(400);
    const fewer = await patch({ secrets: { S0: null, S1: null, S40: 'x' } });
    expect(fewer.body).to.have.property('secretNames').with.lengthOf(39);
  });

  it('refuses to drop a secret that a tool uses', async () => {
    const { id } = await create({ name: 'A', tools: [weather], secrets: { WEATHER_KEY: 'x' } });
    const reply = await tenant.client.patch(`/api/v1/Agent/${id}`, {
      secrets: { WEATHER_KEY: null },
    });
    expect(reply.status).to.equal(400);
    expect(errorsOf(reply)).to.deep.equal(['/tools/0/headers/Authorization']);
  });

  const badTools: [string, object[], string][] = [
    ['a name that the provider refuses', [{ ...weather, name: 'get weather' }], '/tools/0/name'],
    ['an unknown kind', [{ kind: 'shell', name: 'x' }], '/tools/0/kind'],
    ['no kind', [{ name: 'x' }], '/tools/0'],
    ['an unknown secret', [weather], '/tools/0/headers/Authorization'],
    [
      'a header with a line break',
      [{ ...weather, headers: { A: 'x\r\nB: y' } }],
      '/tools/0/headers/A',
    ],
    ['a server without an address', [{ kind: 'mcp', name: 'x' }], '/tools/0'],
    [
      'a server at a strange address',
      [{ kind: 'mcp', name: 'x', serverUrl: 'ws://host/' }],
      '/tools/0/serverUrl',
    ],
    [
      'a timeout out of bounds',
      [{ kind: 'builtin', name: 'current_time', timeoutSeconds: 0 }],
      '/tools/0/timeoutSeconds',
    ],
  ];
  for (const [title, tools, path] of badTools)
    it(`refuses tools with ${title}`, async () => {
      const reply = await tenant.client.post('/api/v1/Agent', { name: 'A', tools });
      expect(reply.status).to.equal(400);
      expect(errorsOf(reply)).to.include(path);
    });

  it('accepts every kind of tool', async () => {
    const { id } = await create({ name: 'Helper' });
    const tools = [
      weather,
      {
        ...weather,
        name: 'post_weather',
        method: 'POST',
        body: '{"city": {{city}}, "key": "{{secret:WEATHER_KEY}}"}',
        secretRefs: ['WEATHER_KEY'],
        approvalRequired: true,
        button: { label: 'Open', link: 'https://x.example/' },
      },
      {
        kind: 'mcp',
        name: 'docs',
        serverUrl: 'https://mcp.example/mcp',
        headers: { Authorization: '{{secret:WEATHER_KEY}}' },
        allowedTools: ['search'],
        approvalPolicy: { default: 'never', tools: { search: 'always' } },
      },
      { kind: 'subagent', name: 'helper', agentId: id.toUpperCase() },
      { kind: 'builtin', name: 'create_task', approvalRequired: true },
    ];
    const agent = await create({ name: 'All', tools, secrets: { WEATHER_KEY: 'k' } });
    expect(agent.tools).to.deep.equal(
      tools.map((tool) => ('agentId' in tool ? { ...tool, agentId: id } : tool)),
    );
  });

  it('refuses itself as its sub-agent, and a foreign one', async () => {
    const { id } = await create({ name: 'A' });
    const foreign = (await other.client.post('/api/v1/Agent', { name: 'Foreign' }))
      .body as AgentBody;
    for (const agentId of [id, foreign.id]) {
      const reply = await tenant.client.patch(`/api/v1/Agent/${id}`, {
        tools: [{ kind: 'subagent', name: 'x', agentId }],
      });
      expect(errorsOf(reply)).to.deep.equal(['/tools/0/agentId']);
    }
  });

  it('refuses a connection of another organization', async () => {
    const foreign = (await other.client.post('/api/v1/Connection', { name: 'C', kind: 'openai' }))
      .body as AgentBody;
    const reply = await tenant.client.post('/api/v1/Agent', {
      name: 'A',
      connectionId: foreign.id,
    });
    expect(reply.status).to.equal(400);
    expect(errorsOf(reply)).to.deep.equal(['/connectionId']);
  });

  it('is gone after DELETE, with its secrets', async () => {
    const { id } = await create({ name: 'A', secrets: { A: 'x' } });
    expect((await tenant.client.delete(`/api/v1/Agent/${id}`)).status).to.equal(204);
    expect((await tenant.client.get(`/api/v1/Agent/${id}`)).status).to.equal(404);
    expect((await tenant.client.delete(`/api/v1/Agent/${id}`)).status).to.equal(404);
    const left = await api.database.asSystem(({ trx }) =>
      trx.selectFrom('agentSecrets').where('agentId', '=', id).selectAll().execute(),
    );
    expect(left).to.deep.equal([]);
  });

  it('cannot be deleted while another agent calls it', async () => {
    const { id } = await create({ name: 'Callee' });
    const caller = await create({
      name: 'Caller',
      tools: [{ kind: 'subagent', name: 'x', agentId: id }],
    });
    const reply = await tenant.client.delete(`/api/v1/Agent/${id}`);
    expect(reply.status).to.equal(409);
    expect(reply.body).to.have.property('detail').that.includes('Caller');
    await tenant.client.delete(`/api/v1/Agent/${caller.id}`);
    expect((await tenant.client.delete(`/api/v1/Agent/${id}`)).status).to.equal(204);
  });

  it('answers 404 for a foreign agent exactly as for an absent one, before it looks at the body', async () => {
    const foreign = (await other.client.post('/api/v1/Agent', { name: 'Foreign' }))
      .body as AgentBody;
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const raw = method === 'GET' || method === 'DELETE' ? undefined : '{not json';
      const ask = (id: string) =>
        tenant.client.request(method, `/api/v1/Agent/${id}`, raw === undefined ? {} : { raw });
      const [a, b] = [await ask(foreign.id), await ask(absent)];
      expect(a.status).to.equal(404);
      expect(a.body).to.deep.equal(b.body);
    }
  });

  it('survives two changes at once without losing one', async () => {
    const { id } = await create({ name: 'A' });
    await Promise.all([
      tenant.client.patch(`/api/v1/Agent/${id}`, { description: 'd' }),
      tenant.client.patch(`/api/v1/Agent/${id}`, { voice: 'sage' }),
      tenant.client.patch(`/api/v1/Agent/${id}`, { icon: 'star' }),
    ]);
    expect((await tenant.client.get(`/api/v1/Agent/${id}`)).body).to.include({
      description: 'd',
      voice: 'sage',
      icon: 'star',
    });
  });
});
