import { once } from 'node:events';
import { expect } from 'chai';
import { connectDatabase, createSecretBox, insertAgent } from '@parley/database';
import { createMetrics } from '@parley/service-kit';
import { connectRedis, createSessionTokens } from '@parley/session-store';
import { countedStores, waitFor, type CountedStores } from '@parley/testkit';
import { createSessionRecords, type DatabaseRecords } from '#src/records/session-records.js';
import { agentFields, insertConversation } from './support/organization.js';
import { startRawProvider } from './support/raw-provider.js';
import { defaultSettings, silent, Stage, type RunningGateway } from './support/stage.js';
import { refusalOf, TestClient } from './support/test-client.js';

describe('to admit a session, the stores are asked', () => {
  let stage: Stage;
  let stores: CountedStores;
  let records: DatabaseRecords;
  let gateway: RunningGateway;

  before(async () => {
    stage = await Stage.open();
    const { databaseUrl, redisUrl, secretsKey } = stage.stores;
    stores = await countedStores({ postgres: databaseUrl, redis: redisUrl });
    stage.onClose(() => stores.stop());
    const database = connectDatabase({ url: stores.postgresUrl, poolSize: 1 });
    stage.onClose(() => database.close());
    const redis = await connectRedis({ url: stores.redisUrl, name: 'counted' });
    stage.onClose(() => redis.disconnect());
    records = createSessionRecords({
      ...{ database, logger: silent, settings: defaultSettings },
      secretBox: createSecretBox(secretsKey),
      registry: createMetrics({ app: 'test' }).registry,
    });
    stage.onClose(() => records.close());
    const provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const tokens = createSessionTokens(redis);
    gateway = await stage.startGateway({ providerUrl: provider.url, redis, tokens, records });
    // What is prepared once per connection is not of interest.
    await admitted(await stage.issue());
  });
  after(() => stage.close());

  const isOver = async () =>
    gateway.gateway.activeSessions + records.journal.waiting === 0 &&
    (await stage.stores.live.count(stage.stores.organizationId)) === 0;
  const admitted = async ({ path }: { path: string }) => {
    const client = new TestClient(gateway.origin + path);
    const counted = await stores.counted(async () => {
      await once(client.socket, 'open');
      return {};
    });
    await client.event('session.updated');
    await client.leave();
    await waitFor(isOver, { what: 'the end of the session in both stores' });
    return counted;
  };

  it('once each, and PostgreSQL once more to commit', async () => {
    expect(await admitted(await stage.issue())).to.deep.equal({ postgres: 2, redis: 1 });
  });

  it('twice more for what was said before', async () => {
    const { databaseUrl, database, organizationId, agentId } = stage.stores;
    const conversationId = await insertConversation(databaseUrl, organizationId, agentId);
    await database.inOrganization(organizationId, ({ trx }) =>
      trx
        .insertInto('messages')
        .values({
          organizationId,
          conversationId,
          position: 1,
          role: 'user',
          content: 'Hello',
          status: 'completed',
        })
        .execute(),
    );
    const counted = await admitted(await stage.issue({ conversationId }));
    expect(counted).to.deep.equal({ postgres: 4, redis: 1 });
  });

  it('once more by a refusal, which removes the session from Redis', async () => {
    const { databaseUrl, database, organizationId } = stage.stores;
    const fields = { ...agentFields([]), realtimeEnabled: false };
    const agentId = await database.inOrganization(organizationId, (scope) =>
      insertAgent(scope, fields),
    );
    const conversationId = await insertConversation(databaseUrl, organizationId, agentId);
    const { path } = await stage.issue({ agentId, conversationId });
    const { status, ...counted } = await stores.counted(() => refusalOf(gateway.origin + path));
    expect(status).to.equal(400);
    expect(counted).to.include({ postgres: 2, redis: 2 });
    expect(await stage.stores.live.count(organizationId)).to.equal(0);
  });
});
