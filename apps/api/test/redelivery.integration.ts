import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { WebhookDelivery } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { recordSeed } from './support/record-seed.js';

describe('an event is sent to its webhook again', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
  });
  beforeEach(async () => {
    tenant = await api.organization();
  });
  after(() => api.stop());

  const create = async ({ enabled = true } = {}): Promise<string> => {
    const webhook = { url: 'https://hooks.example.com/', events: ['task.changed'], enabled };
    return ((await tenant.client.post('/api/v1/Webhook', webhook)).body as { id: string }).id;
  };
  const delivery = (webhookId: string, state: WebhookDelivery['state']) =>
    recordSeed(api.database, tenant.id).delivery(webhookId, state);
  const pathOf = (webhookId: string, id: string) =>
    `/api/v1/Webhook/${webhookId}/delivery/${id}/redeliver`;
  const again = (webhookId: string, id: string, { client } = tenant) =>
    client.post(pathOf(webhookId, id));
  const shown = async (webhookId: string) => {
    const { body } = await tenant.client.get(`/api/v1/Webhook/${webhookId}/delivery`);
    return (body as { items: WebhookDelivery[] }).items[0];
  };
  const audited = async () => {
    const { body } = await tenant.client.get('/api/v1/AuditLog?Action=webhook.redelivered');
    return (body as { items: Record<string, unknown>[] }).items;
  };

  for (const state of ['delivered', 'failed'] as const)
    it(`once it is ${state}: due at once, under the same id, on the audit record`, async () => {
      const webhookId = await create();
      const id = await delivery(webhookId, state);
      const before = await shown(webhookId);
      expect(before).to.include({ id, state });
      const { status, body } = await again(webhookId, id);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body).to.include({ id, state: 'pending', deliveredAt: null, attempts: 1 });
      expect(await shown(webhookId)).to.deep.equal(body);
      const [record, ...more] = await audited();
      expect(more).to.deep.equal([]);
      expect(record).to.deep.include({ resourceId: webhookId, before, after: body });
    });

  it('but not while it is still being tried, however many ask at once', async () => {
    const webhookId = await create();
    const id = await delivery(webhookId, 'failed');
    const replies = await Promise.all([1, 2, 3].map(() => again(webhookId, id)));
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).to.deep.equal([
      200, 409, 409,
    ]);
    const { body } = await again(webhookId, id);
    expect((body as { detail: string }).detail).to.match(/still being sent.* due at 2/);
    expect(await audited()).to.have.length(1);
  });

  it('once for one Idempotency-Key', async () => {
    const webhookId = await create();
    const path = pathOf(webhookId, await delivery(webhookId, 'delivered'));
    const options = { headers: { 'Idempotency-Key': 'again-1' } };
    const first = await tenant.client.post(path, undefined, options);
    const second = await tenant.client.post(path, undefined, options);
    expect([first.status, second.status]).to.deep.equal([200, 200]);
    expect(second.body).to.deep.equal(first.body);
    expect(await audited()).to.have.length(1);
  });

  it('but not while the webhook is switched off', async () => {
    const webhookId = await create({ enabled: false });
    const { status, body } = await again(webhookId, await delivery(webhookId, 'delivered'));
    expect(status).to.equal(409);
    expect((body as { detail: string }).detail).to.include('disabled');
    expect(await shown(webhookId)).to.include({ state: 'delivered' });
  });

  it('but not through another webhook, by another organization or without the scope', async () => {
    const webhookId = await create();
    const id = await delivery(webhookId, 'delivered');
    const absent = await again(webhookId, randomUUID());
    expect(absent.status).to.equal(404);
    for (const reply of [
      await again(await create(), id),
      await again(randomUUID(), id),
      await again(webhookId, id, await api.organization()),
    ])
      expect([reply.status, reply.body]).to.deep.equal([404, absent.body]);
    expect((await again(webhookId, "x'--")).status).to.equal(400);
    const scopeless = await api.organization({ scopes: ['tasks'] });
    expect((await again(webhookId, id, scopeless)).status).to.equal(403);
    expect(await shown(webhookId)).to.include({ state: 'delivered' });
    expect(await audited()).to.deep.equal([]);
  });
});
