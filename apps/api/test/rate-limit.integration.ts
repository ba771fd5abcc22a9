import { expect } from 'chai';
import { migratedDatabase, needs, startRedisServer, testRedis } from '@parley/testkit';
import type { Operation } from '@parley/protocol';
import { startApi } from './support/api-under-test.js';
import { contractClient } from './support/contract-client.js';
import { everyOperation, validBody } from './support/every-operation.js';
import { pathOf, seededTenant, type SeededTenant } from './support/seeded-tenant.js';

/** The operation as its owner asks for it. */
function ask({ client, seeds }: SeededTenant, operation: Operation) {
  const { body, type } = validBody(operation);
  return client.request(operation.method.toUpperCase(), pathOf(operation, seeds), {
    ...(body !== undefined && { raw: body }),
    ...(type !== undefined && { headers: { 'Content-Type': type } }),
  });
}

describe('rate limit', () => {
  it('is one budget for all instances, and says when to come back', async () => {
    const database = await migratedDatabase();
    const { url: redisUrl } = await testRedis();
    const pods = await Promise.all(
      [1, 2, 3].map(() => startApi({ database, redisUrl, perMinute: 100 })),
    );
    const { key, id } = await pods[0]!.organization();
    const clients = pods.map(({ url }) =>
      contractClient(url, { 'X-Api-Key': key, 'X-Org-Id': id }),
    );
    const replies = [];
    for (let wave = 0; wave < 10; wave += 1)
      replies.push(
        ...(await Promise.all(
          Array.from({ length: 30 }, (_, i) => clients[i % 3]!.get('/api/v1/Agent')),
        )),
      );
    const accepted = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 429);
    expect([accepted.length, refused.length]).to.deep.equal([100, 200]);
    for (const { headers } of refused) {
      expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
      expect(headers.get('ratelimit')).to.match(/^"requests";r=0;t=\d+$/);
      expect(headers.get('ratelimit-policy')).to.equal('"requests";q=100;w=60');
    }
    expect(
      accepted
        .map(({ headers }) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
        .sort((a, b) => Number(a) - Number(b))[0],
    ).to.equal('0');
    await Promise.all(pods.map((pod) => pod.stop()));
    await database.drop();
  });

  it('is told with every answer, whatever the operation', async () => {
    const api = await startApi({ perMinute: 5000 });
    const tenant = await seededTenant(api);
    for (const [id, operation] of everyOperation) {
      await tenant.beat();
      const { headers } = await ask(tenant, operation);
      expect(headers.get('ratelimit'), id).to.match(/^"(requests|sessions)";r=\d+;t=\d+$/);
      expect(headers.get('ratelimit-policy'), id).to.match(/^"(requests|sessions)";q=\d+;w=60$/);
    }
    await api.stop();
  });

  it('is counted per key', async () => {
    const api = await startApi({ perMinute: 1 });
    const [a, b] = [await api.organization(), await api.organization()];
    expect((await a.client.get('/api/v1/Agent')).status).to.equal(200);
    expect((await a.client.get('/api/v1/Agent')).status).to.equal(429);
    expect((await b.client.get('/api/v1/Agent')).status).to.equal(200);
    await api.stop();
  });

  describe('without Redis', () => {
    needs('redis-server');

    it('lets everything pass that needs no Redis, and asks to come back for the rest', async () => {
      const redis = await startRedisServer();
      const api = await startApi({ redisUrl: redis.url });
      const tenant = await seededTenant(api);
      await redis.kill();
      const refused: string[] = [];
      for (const [id, operation] of everyOperation) {
        const { status, headers } = await ask(tenant, operation);
        // A question gets as far as the provider, which is not there.
        if (id === 'askQuestion') expect(status).to.equal(502);
        else if (status !== 503) expect(status, id).to.be.below(500);
        else {
          refused.push(id);
          expect(headers.get('retry-after'), id).to.equal('5');
        }
      }
      expect(refused).to.have.members([
        'createRealtimeSession',
        'listRealtimeSessions',
        'endRealtimeSession',
        'listenToEvents',
      ]);
      await api.stop();
    });

    it('lets requests pass while Redis is gone, and counts again afterwards', async () => {
      const redis = await startRedisServer();
      const api = await startApi({ redisUrl: redis.url, perMinute: 2 });
      const { client } = await api.organization();
      await redis.kill();
      for (let i = 0; i < 4; i += 1)
        expect((await client.get('/api/v1/Agent')).status).to.equal(200);
      const back = new Promise((resolve) => api.redis.once('ready', resolve));
      await redis.restart();
      await back;
      const statuses = [];
      for (let i = 0; i < 3; i += 1) statuses.push((await client.get('/api/v1/Agent')).status);
      expect(statuses).to.deep.equal([200, 200, 429]);
      await api.stop();
      await redis.stop();
    });
  });
});
