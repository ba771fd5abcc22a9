import { expect } from 'chai';
import { sql } from 'kysely';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';

describe('a list of 10,000 agents', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    await api.database.asSystem(({ trx }) =>
      sql`insert into agents (organization_id, name, description, system_message, voice, realtime_enabled, tools, created_at)
          select ${tenant.id}::uuid, 'Agent ' || n, '', repeat('instructions ', 200), 'alloy', true, '[]', now() + n * interval '1 ms'
          from generate_series(1, 10000) n`.execute(trx),
    );
  });
  after(() => api.stop());

  it('is walked page by page without a gap or a repetition', async () => {
    const names: string[] = [];
    for (let offset = 0; offset < 10_000; offset += 200) {
      const { body } = await tenant.client.get(`/api/v1/Agent?Offset=${offset}&Limit=200`);
      const page = body as { items: { name: string }[]; total: number };
      expect(page.total).to.equal(10_000);
      names.push(...page.items.map(({ name }) => name));
    }
    expect(names).to.deep.equal(Array.from({ length: 10_000 }, (_, i) => `Agent ${i + 1}`));
  });

  it('ends with an empty page', async () => {
    expect((await tenant.client.get('/api/v1/Agent?Offset=10000')).body).to.deep.equal({
      items: [],
      total: 10_000,
      offset: 10_000,
      limit: 50,
    });
  });
});
