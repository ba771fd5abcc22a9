import { expect } from 'chai';
import type { KyselyPlugin } from 'kysely';
import {
  createSecretBox,
  insertConnection,
  type Database,
  type OrganizationScope,
} from '@parley/database';
import { connectionOperations } from '#src/connections/connection-operations.js';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';

type ConnectionBody = { id: string; hasSecret: boolean };

describe('Connection', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
  });
  after(() => api.stop());

  const create = async (body: object): Promise<ConnectionBody> => {
    const reply = await tenant.client.post('/api/v1/Connection', body);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body as ConnectionBody;
  };

  it('is listed with the total of the same moment, whatever is added meanwhile', async () => {
    const { database } = api;
    const { id: organizationId } = await api.organization();
    const add = () =>
      database.inOrganization(organizationId, (scope) =>
        insertConnection(scope, {
          ...{ name: 'A', kind: 'openai', baseUrl: null, models: [] },
          ...{ realtime: true, enabled: true },
        }),
      );
    await add();
    const adding: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await add();
        return result;
      },
    };
    const slowly =
      <T>(work: (scope: OrganizationScope) => Promise<T>) =>
      (scope: OrganizationScope) =>
        work({ ...scope, trx: scope.trx.withPlugin(adding) });
    const slow = {
      inOrganization: (id, work) => database.inOrganization(id, slowly(work)),
      inSnapshot: (id, work) => database.inSnapshot(id, slowly(work)),
    } satisfies Pick<Database, 'inOrganization' | 'inSnapshot'>;
    const ports = { database: slow as Database, secretBox: createSecretBox(api.secretsKey) };
    const { run } = connectionOperations(ports).listConnections;
    const call = { caller: { organizationId }, query: { Offset: 0, Limit: 10 } };
    const { items, total } = await run(call as Parameters<typeof run>[0]);
    expect(total).to.equal(1);
    expect(items).to.have.length(1);
  });

  it('is created with defaults and hides its secret', async () => {
    const connection = await create({ name: 'OpenAI', kind: 'openai', secret: 'sk-very-s3cret' });
    expect(connection).to.include({
      name: 'OpenAI',
      kind: 'openai',
      baseUrl: null,
      realtime: true,
      enabled: true,
      hasSecret: true,
    });
    expect(JSON.stringify(connection)).not.to.include('s3cret');
    const [row] = await api.database.asSystem(({ trx }) =>
      trx.selectFrom('connections').select('secret').where('id', '=', connection.id).execute(),
    );
    expect(row?.secret?.includes('s3cret')).to.equal(false);
  });

  it('is changed in part; its secret is replaced or removed', async () => {
    const { id } = await create({
      name: 'A',
      kind: 'openai-compatible',
      baseUrl: 'http://llm.internal:8000/v1',
    });
    const path = `/api/v1/Connection/${id}`;
    expect((await tenant.client.patch(path, { enabled: false, secret: 'x' })).body).to.include({
      enabled: false,
      hasSecret: true,
      name: 'A',
    });
    expect((await tenant.client.patch(path, { name: 'B' })).body).to.include({
      hasSecret: true,
      name: 'B',
      enabled: false,
    });
    expect((await tenant.client.patch(path, { secret: null })).body).to.include({
      hasSecret: false,
    });
    expect((await tenant.client.get(path)).body).to.include({ name: 'B', hasSecret: false });
  });

  it('needs an address unless the kind has one', async () => {
    for (const kind of ['azure-openai', 'openai-compatible']) {
      const reply = await tenant.client.post('/api/v1/Connection', { name: 'A', kind });
      expect(reply.status).to.equal(400);
      expect(reply.body).to.have.nested.property('errors[0].path', '/baseUrl');
    }
    const { id } = await create({
      name: 'A',
      kind: 'azure-openai',
      baseUrl: 'https://x.openai.azure.com',
    });
    expect(
      (await tenant.client.patch(`/api/v1/Connection/${id}`, { baseUrl: null })).status,
    ).to.equal(400);
  });

  for (const [title, body] of [
    ['an unknown kind', { name: 'A', kind: 'telepathy' }],
    ['another kind later', undefined],
    ['an address that is none', { name: 'A', kind: 'openai', baseUrl: 'not a url' }],
    ['an address with credentials', { name: 'A', kind: 'openai', baseUrl: 'https://u:p@host/v1' }],
    ['an empty secret', { name: 'A', kind: 'openai', secret: '' }],
    ['a secret with a line break', { name: 'A', kind: 'openai', secret: 'sk-1\n' }],
    ['a secret that fits in no header', { name: 'A', kind: 'openai', secret: 'sk-“1”' }],
  ] as const)
    it(`refuses ${title}`, async () => {
      const reply = body
        ? await tenant.client.post('/api/v1/Connection', body)
        : await tenant.client.patch(
            `/api/v1/Connection/${(await create({ name: 'A', kind: 'openai' })).id}`,
            { kind: 'simulator' },
          );
      expect(reply.status).to.equal(400);
    });

  it('cannot be deleted while an agent uses it', async () => {
    const { id } = await create({ name: 'A', kind: 'openai' });
    const agent = (await tenant.client.post('/api/v1/Agent', { name: 'User', connectionId: id }))
      .body as ConnectionBody;
    const refused = await tenant.client.delete(`/api/v1/Connection/${id}`);
    expect(refused.status).to.equal(409);
    expect(refused.body).to.have.property('detail').that.includes('User');
    await tenant.client.patch(`/api/v1/Agent/${agent.id}`, { connectionId: null });
    expect((await tenant.client.delete(`/api/v1/Connection/${id}`)).status).to.equal(204);
    expect((await tenant.client.get(`/api/v1/Connection/${id}`)).status).to.equal(404);
  });

  it('cannot be deleted while an agent falls back to it', async () => {
    const own = await create({ name: 'A', kind: 'openai' });
    const other = await create({ name: 'B', kind: 'openai' });
    const asked = { name: 'Careful', connectionId: own.id, fallbackConnectionIds: [other.id] };
    const agent = (await tenant.client.post('/api/v1/Agent', asked)).body as ConnectionBody;
    expect(agent).to.deep.include({ fallbackConnectionIds: [other.id] });
    const refused = await tenant.client.delete(`/api/v1/Connection/${other.id}`);
    expect(refused.status).to.equal(409);
    expect(refused.body).to.have.property('detail').that.includes('Careful');
    await tenant.client.delete(`/api/v1/Agent/${agent.id}`);
    expect((await tenant.client.delete(`/api/v1/Connection/${other.id}`)).status).to.equal(204);
  });

  it('is a fallback of agents of its own organization only, and once', async () => {
    const { id } = await create({ name: 'A', kind: 'openai' });
    const stranger = await api.organization();
    const asked = { name: 'Stranger', fallbackConnectionIds: [id] };
    const refused = await stranger.client.post('/api/v1/Agent', asked);
    expect(refused.status).to.equal(400);
    expect(JSON.stringify(refused.body)).to.include('/fallbackConnectionIds/0');
    const twice = { name: 'Twice', fallbackConnectionIds: [id, id] };
    expect((await tenant.client.post('/api/v1/Agent', twice)).status).to.equal(400);
    const some = { name: 'Some', fallbackConnectionIds: Array.from({ length: 6 }, () => id) };
    expect((await tenant.client.post('/api/v1/Agent', some)).status).to.equal(400);
  });

  it('can be deleted when only a deleted agent used it', async () => {
    const { id } = await create({ name: 'A', kind: 'openai' });
    const agent = (await tenant.client.post('/api/v1/Agent', { name: 'User', connectionId: id }))
      .body as ConnectionBody;
    await tenant.client.delete(`/api/v1/Agent/${agent.id}`);
    expect((await tenant.client.delete(`/api/v1/Connection/${id}`)).status).to.equal(204);
  });

  it('is listed in order of creation', async () => {
    const fresh = await api.organization();
    for (const name of ['1', '2', '3'])
      await fresh.client.post('/api/v1/Connection', { name, kind: 'simulator' });
    const reply = await fresh.client.get('/api/v1/Connection?Offset=1&Limit=1');
    expect(reply.body).to.include({ total: 3, offset: 1, limit: 1 });
    expect(reply.body).to.have.nested.property('items[0].name', '2');
  });

  it('of another organization is neither seen nor changed', async () => {
    const { id } = await create({ name: 'A', kind: 'openai' });
    const other = await api.organization();
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'x' }],
      ['DELETE', undefined],
    ] as const)
      expect(
        (await other.client.request(method, `/api/v1/Connection/${id}`, body ? { body } : {}))
          .status,
      ).to.equal(404);
  });
});
