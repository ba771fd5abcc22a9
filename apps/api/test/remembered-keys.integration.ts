import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { findApiKey, insertApiKey, revokeApiKey, type Database } from '@parley/database';
import { allScopes, keyRememberedMs, type Scope } from '@parley/protocol';
import { createChangedKeys } from '@parley/session-store';
import { migratedDatabase, needs, startRedisServer, testRedis, waitFor } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { contractClient, problemCode } from './support/contract-client.js';
import { formOf, formType } from './support/upload.js';

type Key = { id: string; key: string };

async function newKey(
  database: Database,
  organizationId: string,
  options: { scopes?: Scope[]; expiresAt?: Date } = {},
): Promise<Key> {
  const { record, key } = await database.asSystem((system) =>
    insertApiKey(system, { organizationId, name: 'K', environment: 'test', ...options }),
  );
  return { id: record.id, key };
}

describe('a key that every instance remembers', () => {
  let pods: ApiUnderTest[];
  let tenant: Tenant;
  let agentPath: string;
  let drop: () => Promise<void>;

  before(async () => {
    const database = await migratedDatabase();
    drop = () => database.drop();
    const { url: redisUrl } = await testRedis();
    pods = await Promise.all([1, 2].map(() => startApi({ database, redisUrl })));
    tenant = await pods[0]!.organization();
    const { body } = await tenant.client.post('/api/v1/Agent', { name: 'A', systemMessage: '' });
    agentPath = `/api/v1/Agent/${(body as { id: string }).id}`;
  });
  after(async () => {
    for (const pod of pods) await pod.stop();
    await drop();
  });

  const clientsOf = ({ key }: Key) =>
    pods.map(({ url }) => contractClient(url, { 'X-Api-Key': key, 'X-Org-Id': tenant.id }));
  const remembered = async (key: Key) => {
    const clients = clientsOf(key);
    for (const client of clients) expect((await client.get(agentPath)).status).to.equal(200);
    return clients;
  };
  const keyOf = (options?: { scopes?: Scope[]; expiresAt?: Date }) =>
    newKey(pods[0]!.database, tenant.id, options);

  it('is refused by all of them from the moment its revocation is answered', async () => {
    const key = await keyOf();
    const clients = await remembered(key);
    expect((await tenant.client.delete(`/api/v1/ApiKey/${key.id}`)).status).to.equal(204);
    for (const client of clients) {
      expect(problemCode(await client.get(agentPath))).to.equal('key-invalid');
      const session = await client.post(`${agentPath}/realtime-session`, {});
      expect(problemCode(session)).to.equal('key-invalid');
    }
    expect((await tenant.client.get(agentPath)).status).to.equal(200);
  });

  it('is revoked from the moment that it revokes itself', async () => {
    const key = await keyOf({ scopes: ['admin', 'agents'] });
    const [client] = await remembered(key);
    expect((await client!.delete(`/api/v1/ApiKey/${key.id}`)).status).to.equal(204);
    expect(problemCode(await client!.get(agentPath))).to.equal('key-invalid');
  });

  it('has the scopes that it was given last, more or fewer', async () => {
    const key = await keyOf({ scopes: ['agents'] });
    const clients = await remembered(key);
    const codes = async (scopes: Scope[]) => {
      await tenant.client.patch(`/api/v1/ApiKey/${key.id}`, { scopes });
      const replies = clients.flatMap((client) => [
        client.get(agentPath),
        client.get('/api/v1/Task'),
      ]);
      return (await Promise.all(replies)).map(({ status }) => status);
    };
    expect(await codes(['tasks'])).to.deep.equal([403, 200, 403, 200]);
    expect(await codes(['agents', 'tasks'])).to.deep.equal([200, 200, 200, 200]);
  });

  it('opens no other organization than its own', async () => {
    const key = await keyOf();
    await remembered(key);
    const other = await pods[0]!.organization();
    for (const { url } of pods) {
      const strange = contractClient(url, { 'X-Api-Key': key.key, 'X-Org-Id': other.id });
      expect(problemCode(await strange.get(agentPath))).to.equal('organization-forbidden');
    }
  });

  it('is refused after its expiry, though it is remembered', async () => {
    const expiresAt = new Date(Date.now() + keyRememberedMs);
    const [client] = clientsOf(await keyOf({ expiresAt }));
    for (let isOver = false; !isOver;) {
      isOver = new Date() >= expiresAt;
      const reply = await client!.get(agentPath);
      if (isOver) expect(problemCode(reply)).to.equal('key-expired');
    }
  });

  it('is forgotten in time, if nobody tells of its revocation', async () => {
    const key = await keyOf();
    const [client] = await remembered(key);
    await pods[0]!.database.asSystem((system) => revokeApiKey(system, key.id));
    const revokedAt = performance.now();
    for (let isForgotten = false; !isForgotten;) {
      isForgotten = performance.now() - revokedAt >= keyRememberedMs;
      const reply = await client!.get(agentPath);
      if (isForgotten) expect(problemCode(reply)).to.equal('key-invalid');
    }
  });
});

describe('a request whose body arrives late', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
    tenant = await api.organization();
  });
  after(() => api.stop());

  type Late = { path: string; type?: string; body: Buffer };
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  const late: Record<string, Late> = {
    'creates no key': { path: '/api/v1/ApiKey', body: json({ name: 'another' }) },
    'keeps no file': {
      ...{ path: '/api/v1/TemporaryFile', type: formType },
      body: formOf([{ content: 'a' }]),
    },
    'opens no OpenAI session': { path: '/v1/realtime/client_secrets', body: json({}) },
  };

  /** Sends all but the last byte, and waits until the key was looked up for it. */
  const begin = async ({ path, type = 'application/json', body }: Late) => {
    const key = await newKey(api.database, tenant.id, { scopes: allScopes });
    const sent = send(`${api.url}${path}`, {
      method: 'POST',
      headers: {
        ...{ 'X-Api-Key': key.key, 'X-Org-Id': tenant.id, Authorization: `Bearer ${key.key}` },
        ...{ 'Content-Type': type, 'Content-Length': body.length },
      },
    });
    sent.write(body.subarray(0, -1));
    const isUsed = async () => {
      const found = await api.database.asSystem((system) => findApiKey(system, key.id));
      return found?.lastUsedAt instanceof Date;
    };
    await waitFor(isUsed, { what: 'the key to be looked up' });
    const finish = async () => {
      sent.end(body.subarray(-1));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode, body: await text(response) };
    };
    return { key, finish };
  };
  const untilForgotten = async () => {
    const since = performance.now();
    while (performance.now() - since < keyRememberedMs)
      expect((await tenant.client.get('/api/v1/Agent')).status).to.equal(200);
  };

  for (const [what, request] of Object.entries(late))
    it(`${what} if its key was revoked meanwhile`, async () => {
      const { key, finish } = await begin(request);
      expect((await tenant.client.delete(`/api/v1/ApiKey/${key.id}`)).status).to.equal(204);
      await untilForgotten();
      const reply = await finish();
      expect(reply.status, reply.body).to.equal(401);
      const { body } = await tenant.client.get('/api/v1/TemporaryFile');
      expect(body).to.have.property('total', 0);
    });

  it('is answered if its key is still valid', async () => {
    const { finish } = await begin(late['creates no key']!);
    await untilForgotten();
    expect((await finish()).status).to.equal(201);
  });
});

describe('without Redis, a key that is remembered', () => {
  needs('redis-server');

  it('is looked up for each request', async () => {
    const redis = await startRedisServer();
    const api = await startApi({ redisUrl: redis.url });
    const { client, keyId } = await api.organization();
    expect((await client.get('/api/v1/Agent')).status).to.equal(200);
    await redis.kill();
    await api.database.asSystem((system) => revokeApiKey(system, keyId));
    expect(problemCode(await client.get('/api/v1/Agent'))).to.equal('key-invalid');
    await api.stop();
  });

  it('has changed once every instance must have forgotten it', async () => {
    const began = performance.now();
    const away = { set: () => Promise.reject(new Error('Redis is away')) };
    await createChangedKeys(away).note('3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11');
    // Timers may fire a millisecond early.
    expect(performance.now() - began).to.be.at.least(keyRememberedMs - 1);
  });
});
