import { expect } from 'chai';
import { connectDatabase, findPresentedKey, revokeApiKey } from '@parley/database';
import { hashApiKey } from '@parley/protocol';
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
    await tenant.client.get('/api/v1/Agent?Limit=7');
    await create({});
    await useIsWritten(tenant);
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
  /** The fewest of several: in between, the key may be forgotten and looked up again. */
  const counted = async (ask: () => Promise<{ status: number }>) => {
    const each = [];
    for (let n = 0; n < 3; n += 1)
      each.push(await stores.counted(async () => ({ status: (await ask()).status })));
    return each.reduce((one, other) => (other.postgres < one.postgres ? other : one));
  };

  it('once each for a read: the agent, and the rate limit', async () => {
    expect(await counted(read)).to.deep.equal({ status: 200, postgres: 1, redis: 1 });
  });

  it('once each for the first page of a list: the page with its total, and the rate limit', async () => {
    const list = () => tenant.client.get('/api/v1/Agent?Limit=7');
    expect(await counted(list)).to.deep.equal({ status: 200, postgres: 1, redis: 1 });
  });

  it('twice each for a session: the agent and its transaction, the rate limits and its token', async () => {
    expect(await counted(() => create({}))).to.deep.equal({ status: 200, postgres: 2, redis: 2 });
  });

  it('once more for a session that continues a conversation', async () => {
    const { body } = await create({});
    const { conversationId } = body as { conversationId: string };
    expect(await counted(() => create({ conversationId }))).to.deep.equal({
      ...{ status: 200, postgres: 3, redis: 2 },
    });
  });

  it('once for the keys of requests that arrive together, each of which gets its own', async () => {
    const other = await api.organization();
    await useIsWritten(other);
    const sent = [tenant.key, 'unknown', other.key, tenant.key];
    const { postgres, owners } = await stores.counted(async () => {
      const keys = sent.map((key) => findPresentedKey(api.database, hashApiKey(key)));
      return { owners: (await Promise.all(keys)).map((key) => key?.organizationId) };
    });
    expect(owners).to.deep.equal([tenant.id, undefined, other.id, tenant.id]);
    expect(postgres).to.equal(1);
  });

  it('again for a key that has just been revoked', async () => {
    const { key, keyId } = await api.organization();
    const find = async () => (await findPresentedKey(api.database, hashApiKey(key)))?.revokedAt;
    expect(await find()).to.equal(null);
    await api.database.asSystem((system) => revokeApiKey(system, keyId));
    expect(await find()).to.be.instanceOf(Date);
  });

  it('no more often for what is refused', async () => {
    const strange = contractless(tenant);
    expect(await counted(strange.read)).to.deep.equal({ status: 404, postgres: 1, redis: 1 });
    expect(await counted(strange.create)).to.deep.equal({ status: 404, postgres: 1, redis: 1 });
  });
});

function useIsWritten({ client }: Tenant): Promise<unknown> {
  return waitFor(
    async () => {
      const keys = await client.get('/api/v1/ApiKey');
      return (keys.body as { items: { lastUsedAt: unknown }[] }).items[0]?.lastUsedAt !== null;
    },
    { what: 'the last use to be written' },
  );
}

/** Of an agent that the tenant does not have. */
function contractless({ client }: Tenant) {
  const path = '/api/v1/Agent/3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11';
  return {
    read: () => client.get(path),
    create: () => client.post(`${path}/realtime-session`, { voice: 7 }),
  };
}
