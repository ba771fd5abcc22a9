import { expect } from 'chai';
import { defaultScopes, type ApiKey, type NewApiKey, type Scope } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { newBrowser, type Browser } from './support/console-client.js';
import { contractClient, problemCode, type Reply } from './support/contract-client.js';

describe('API keys', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let other: Tenant;
  let owner: Browser;
  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    other = await api.organization();
    owner = await newBrowser(api, tenant.id);
  });
  after(() => api.stop());

  const create = async (input: object = {}): Promise<NewApiKey> => {
    const { status, body } = await owner.client.post('/api/v1/ApiKey', { name: 'K', ...input });
    expect(status).to.equal(201);
    return body as NewApiKey;
  };
  const use = (key: string): Promise<Reply> =>
    contractClient(api.url, { 'X-Api-Key': key, 'X-Org-Id': tenant.id }).get('/api/v1/Task');
  const listed = async (): Promise<ApiKey[]> => {
    const { body } = await owner.client.get('/api/v1/ApiKey?Limit=200');
    return (body as { items: ApiKey[] }).items;
  };

  it('are shown once, work, and are refused once they are revoked', async () => {
    const { id, apiKey, scopes, ...shown } = await create();
    expect(scopes).to.deep.equal(defaultScopes).and.not.include('admin');
    expect(shown).to.deep.include({
      name: 'K',
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect((await use(apiKey)).status).to.equal(200);
    const found = (await listed()).find((key) => key.id === id);
    expect(found?.lastUsedAt).to.be.a('string');
    expect(JSON.stringify(await listed())).not.to.include(apiKey);
    expect((await owner.client.delete(`/api/v1/ApiKey/${id}`)).status).to.equal(204);
    expect(problemCode(await use(apiKey))).to.equal('key-invalid');
    const revoked = (await listed()).find((key) => key.id === id);
    expect(revoked?.revokedAt).to.be.a('string');
    expect((await owner.client.delete(`/api/v1/ApiKey/${id}`)).status).to.equal(204);
  });

  it('change their name, scopes and expiry', async () => {
    const { id, apiKey } = await create({ expiresAt: '2999-01-01T00:00:00Z' });
    const { status, body } = await owner.client.patch(`/api/v1/ApiKey/${id}`, {
      ...{ name: 'Renamed', scopes: ['agents'], expiresAt: null },
    });
    expect(status).to.equal(200);
    expect(body).to.include({ name: 'Renamed', expiresAt: null });
    expect(problemCode(await use(apiKey))).to.equal('scope-missing');
  });

  it('stay as they are once they are revoked', async () => {
    const { id } = await create();
    await owner.client.delete(`/api/v1/ApiKey/${id}`);
    const reply = await owner.client.patch(`/api/v1/ApiKey/${id}`, { name: 'Back' });
    expect(problemCode(reply)).to.equal('conflict');
  });

  const ugly: [string, object][] = [
    ['no name', { name: ' ' }],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }],
    ['no scopes', { scopes: [] }],
    ['a scope that there is not', { scopes: ['root'] }],
    ['the same scope twice', { scopes: ['tasks', 'tasks'] }],
    ['an expiry in the past', { expiresAt: '2001-01-01T00:00:00Z' }],
    ['an expiry that is no date', { expiresAt: 'tomorrow' }],
    ['a key of their own', { apiKey: 'parley_live_mine' }],
    ['another organization', { organizationId: '00000000-0000-4000-8000-000000000000' }],
  ];
  for (const [title, input] of ugly)
    it(`are refused with ${title}`, async () => {
      const reply = await owner.client.post('/api/v1/ApiKey', { name: 'K', ...input });
      expect(problemCode(reply)).to.equal('body-invalid');
    });

  it('give no scope that they lack, neither to a new key nor to themselves', async () => {
    const keyOf = async (scopes: Scope[]) => {
      const { apiKey, id } = await create({ scopes });
      const client = contractClient(api.url, { 'X-Api-Key': apiKey, 'X-Org-Id': tenant.id });
      return { client, id };
    };
    const { client, id } = await keyOf(['admin', 'tasks']);
    const attempts = [
      client.post('/api/v1/ApiKey', { name: 'K', scopes: ['agents'] }),
      client.post('/api/v1/ApiKey', { name: 'K' }),
      client.patch(`/api/v1/ApiKey/${id}`, { scopes: ['admin', 'tasks', 'agents'] }),
    ];
    for (const reply of await Promise.all(attempts))
      expect(problemCode(reply)).to.equal('scope-missing');
    const { status } = await client.post('/api/v1/ApiKey', { name: 'K', scopes: ['tasks'] });
    expect(status).to.equal(201);
    const mere = await keyOf(['tasks', 'agents']);
    for (const reply of [
      await mere.client.get('/api/v1/ApiKey'),
      await mere.client.get('/api/v1/Member'),
      await mere.client.delete(`/api/v1/ApiKey/${id}`),
    ])
      expect(problemCode(reply)).to.equal('scope-missing');
  });

  it('of another organization are neither seen nor touched', async () => {
    const { body } = await other.client.get('/api/v1/ApiKey');
    expect((body as { items: ApiKey[] }).items.map(({ id }) => id)).to.deep.equal([other.keyId]);
    const { id, apiKey } = await create();
    expect((await other.client.delete(`/api/v1/ApiKey/${id}`)).status).to.equal(404);
    expect((await other.client.patch(`/api/v1/ApiKey/${id}`, { name: 'Mine' })).status).to.equal(
      404,
    );
    expect((await use(apiKey)).status).to.equal(200);
  });

  it('are on the audit record, without the key', async () => {
    const { id, apiKey } = await create();
    await owner.client.patch(`/api/v1/ApiKey/${id}`, { name: 'R' });
    await owner.client.delete(`/api/v1/ApiKey/${id}`);
    const { body } = await owner.client.get(`/api/v1/AuditLog?Actor=${owner.userId}&Limit=200`);
    const records = (body as { items: { action: string; resourceId: string }[] }).items;
    const own = records.filter(({ resourceId }) => resourceId === id);
    expect(own.map(({ action }) => action)).to.deep.equal([
      'key.created',
      'key.updated',
      'key.revoked',
    ]);
    expect(JSON.stringify(records)).not.to.include(apiKey);
  });
});
