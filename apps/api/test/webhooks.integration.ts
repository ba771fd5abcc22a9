import { expect } from 'chai';
import { maxWebhooks } from '@parley/database';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';

type Created = { id: string; secret: string };

describe('Webhook', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  const input = { url: 'https://hooks.example.com/parley', events: ['task.changed'] };

  before(async () => {
    api = await startApi();
  });
  beforeEach(async () => {
    tenant = await api.organization();
  });
  after(() => api.stop());

  const create = async (body: object = input): Promise<Created> => {
    const reply = await tenant.client.post('/api/v1/Webhook', body);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body as Created;
  };

  it('shows its secret when it is made and never again', async () => {
    const { id, secret } = await create();
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const read = await tenant.client.get(`/api/v1/Webhook/${id}`);
    expect(read.body)
      .to.include({ id, url: input.url, enabled: true })
      .and.not.have.any.keys('secret');
    const [row] = await api.database.asSystem(({ trx }) =>
      trx.selectFrom('webhooks').select('secret').where('id', '=', id).execute(),
    );
    expect(row?.secret.includes(secret)).to.equal(false);
  });

  it('gets another secret on request', async () => {
    const { id, secret } = await create();
    const reply = await tenant.client.post(`/api/v1/Webhook/${id}/secret`, undefined);
    expect(reply.status).to.equal(200);
    expect((reply.body as Created).secret)
      .to.match(/^whsec_/)
      .and.not.equal(secret);
  });

  it('is changed, listed and deleted', async () => {
    const { id } = await create();
    const path = `/api/v1/Webhook/${id}`;
    const changed = await tenant.client.patch(path, { enabled: false });
    expect(changed.body).to.include({ enabled: false, url: input.url });
    const { body } = await tenant.client.get('/api/v1/Webhook');
    expect(body).to.have.property('total', 1);
    expect((await tenant.client.delete(path)).status).to.equal(204);
    expect((await tenant.client.get(path)).status).to.equal(404);
  });

  for (const [what, body] of Object.entries({
    'an event that does not exist': { ...input, events: ['agent.born'] },
    'no event at all': { ...input, events: [] },
    'an address that is no URL': { ...input, url: 'hooks' },
    'an address with credentials': { ...input, url: 'https://u:p@hooks.example.com/' },
    'a private address': { ...input, url: 'http://169.254.169.254/latest/meta-data' },
    'a private address in another spelling': { ...input, url: 'http://0x7f.1/' },
    'a name of the cluster': { ...input, url: 'https://api.parley.svc/' },
    'an address that is not HTTP': { ...input, url: 'ftp://example.com/' },
  }))
    it(`is refused with ${what}`, async () => {
      expect((await tenant.client.post('/api/v1/Webhook', body)).status).to.equal(400);
    });

  it(`is refused beyond ${maxWebhooks}`, async () => {
    for (let n = 0; n < maxWebhooks; n += 1) await create();
    expect((await tenant.client.post('/api/v1/Webhook', input)).status).to.equal(409);
  });

  it('is refused beyond that also when many are made at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: maxWebhooks + 10 }, () => tenant.client.post('/api/v1/Webhook', input)),
    );
    const made = replies.filter(({ status }) => status === 201);
    expect(made).to.have.length(maxWebhooks);
    expect((await tenant.client.get('/api/v1/Webhook')).body).to.include({ total: maxWebhooks });
  });

  it('is not moved to a private address', async () => {
    const { id } = await create();
    const reply = await tenant.client.patch(`/api/v1/Webhook/${id}`, { url: 'http://127.0.0.1/' });
    expect(reply.status).to.equal(400);
    expect(reply.body).to.have.nested.property('errors[0].path', '/url');
  });

  it('lists what was sent to it', async () => {
    const wants = await create();
    const other = await create({ ...input, events: ['session.ended'] });
    const off = await create({ ...input, enabled: false });
    expect((await tenant.client.post('/api/v1/Task', { title: 'T' })).status).to.equal(201);
    const deliveriesOf = async ({ id }: Created) =>
      (await tenant.client.get(`/api/v1/Webhook/${id}/delivery`)).body as {
        items: Record<string, unknown>[];
        total: number;
      };
    const sent = await deliveriesOf(wants);
    expect(sent.total).to.equal(1);
    expect(sent.items[0]).to.include({ event: 'task.changed', state: 'pending', attempts: 0 });
    expect((await deliveriesOf(other)).total).to.equal(0);
    expect((await deliveriesOf(off)).total).to.equal(0);
  });

  it('is told of every change of a task with the change, and of none that was refused', async () => {
    const { id: webhookId } = await create();
    const { client } = tenant;
    const { id } = (await client.post('/api/v1/Task', { title: 'A', externalId: 'x' }))
      .body as Created;
    const path = `/api/v1/Task/${id}`;
    await client.patch(path, { status: 'done' });
    await client.put(path, { title: 'B', externalId: 'x' });
    await client.put('/api/v1/Task/externalId/x', { title: 'C' });
    await client.post('/api/v1/Task', { title: 'A', externalId: 'x' });
    await client.patch(path, { title: 'D' }, { headers: { 'If-Match': '"stale"' } });
    await client.delete(path);
    await client.put('/api/v1/Task/externalId/y', { title: 'E' });
    const told = await api.database.inOrganization(tenant.id, ({ trx }) =>
      trx
        .selectFrom('webhookDeliveries')
        .select('body')
        .where('webhookId', '=', webhookId)
        .orderBy('createdAt')
        .execute(),
    );
    const events = told.map(
      ({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
    );
    expect(events.map(({ type }) => type)).to.deep.equal(Array(6).fill('task.changed'));
    expect(events[1]?.data).to.deep.equal({
      id,
      change: 'updated',
      externalId: 'x',
      status: 'done',
      version: 2,
      agentId: null,
      conversationId: null,
    });
    expect(
      events.map(({ data }) => [data['change'], data['externalId'], data['version']]),
    ).to.deep.equal([
      ['created', 'x', 1],
      ['updated', 'x', 2],
      ['updated', 'x', 3],
      ['updated', 'x', 4],
      ['deleted', 'x', 4],
      ['created', 'y', 1],
    ]);
  });
});
