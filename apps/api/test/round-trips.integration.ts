import { expect } from 'chai';
import { connectDatabase } from '@parley/database';
import {
  countedStores,
  migratedDatabase,
  plainAgent,
  testRedis,
  waitFor,
  type CountedStores,
  type MigratedDatabase,
} from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';

describe('the stores are asked', () => {
  let migrated: MigratedDatabase;
  let stores: CountedStores;
  let api: ApiUnderTest;
  let tenant: Tenant;
  let agentId: string;

  before(async () => {
    migrated = await migratedDatabase();
    stores = await countedStores({ postgres: migrated.url, redis: (await testRedis()).url });
    const database = connectDatabase({ url: stores.postgresUrl, poolSize: 1 });
    api = await startApi({ database: { ...migrated, database }, redisUrl: stores.redisUrl });
    tenant = await api.organization();
    const created = await tenant.client.post('/api/v1/Agent', plainAgent);
    agentId = (created.body as { id: string }).id;
    // What is prepared once per connection, and the first use of the key, are not of interest.
    await read();
    await create({});
    await waitFor(
      async () => {
        const keys = await tenant.client.get('/api/v1/ApiKey');
        return (keys.body as { items: { lastUsedAt: unknown }[] }).items[0]?.lastUsedAt !== null;
      },
      { what: 'the last use to be written' },
    );
  });
  after(async () => {
    await api.stop();
    await api.database.close();
    await stores.stop();
    await migrated.drop();
  });

  const read = () => tenant.client.get(`/api/v1/Agent/${agentId}`);
  const create = (body: object) =>
    tenant.client.post(`/api/v1/Agent/${agentId}/realtime-session`, body);
  const counted = (ask: () => Promise<{ status: number }>) =>
    stores.counted(async () => ({ status: (await ask()).status }));

  it('twice and once for a read: the key and the agent, the rate limit', async () => {
    expect(await counted(read)).to.deep.equal({ status: 200, postgres: 2, redis: 1 });
  });

  it('three times and twice for a session: its transaction is one of them, its token the other', async () => {
    expect(await counted(() => create({}))).to.deep.equal({ status: 200, postgres: 3, redis: 2 });
  });

  it('once more for a session that continues a conversation', async () => {
    const { body } = await create({});
    const { conversationId } = body as { conversationId: string };
    expect(await counted(() => create({ conversationId }))).to.deep.equal({
      ...{ status: 200, postgres: 4, redis: 2 },
    });
  });

  it('no more often for what is refused', async () => {
    const strange = contractless(tenant);
    expect(await counted(strange.read)).to.deep.equal({ status: 404, postgres: 2, redis: 1 });
    expect(await counted(strange.create)).to.deep.equal({ status: 404, postgres: 2, redis: 1 });
  });
});

/** Of an agent that the tenant does not have. */
function contractless({ client }: Tenant) {
  const path = '/api/v1/Agent/3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11';
  return {
    read: () => client.get(path),
    create: () => client.post(`${path}/realtime-session`, { voice: 7 }),
  };
}
