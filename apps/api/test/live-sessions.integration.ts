import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { keepTicket, takeOverSession } from '@parley/database';
import { createLiveSessions, type LiveSession, type LiveSessions } from '@parley/session-store';
import { needs, startRedisServer } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { recordSeed } from './support/record-seed.js';

describe('live sessions over REST', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let live: LiveSessions;
  let agentId: string;

  before(async () => {
    api = await startApi();
    live = createLiveSessions(api.redis);
  });
  beforeEach(async () => {
    tenant = await api.organization();
    const agent = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    agentId = (agent.body as { id: string }).id;
  });
  after(() => api.stop());

  /** A session that a pod holds. */
  const talking = async (fields: Partial<LiveSession> = {}): Promise<LiveSession> => {
    const session = {
      id: randomUUID(),
      organizationId: tenant.id,
      agentId,
      conversationId: randomUUID(),
      pod: `pod-${randomUUID()}`,
      startedAt: new Date().toISOString(),
      ...fields,
    };
    await live.beat(session.pod, [session]);
    return session;
  };
  const revoked = async (session: LiveSession) =>
    (await live.beat(session.pod, [session])).length === 1;
  const list = async (query = ''): Promise<{ items: { id: string }[]; total: number }> =>
    (await tenant.client.get(`/api/v1/RealtimeSession${query}`)).body as never;

  it('are listed over all pods, filtered and paged, without the pod’s name', async () => {
    const first = await talking({ startedAt: '2026-01-01T00:00:00.000Z' });
    const second = await talking({ agentId: randomUUID() });
    await talking({ organizationId: randomUUID() });
    const { items, total } = await list();
    expect(total).to.equal(2);
    const { id, conversationId, startedAt } = first;
    expect(items[0]).to.deep.equal({ id, agentId, conversationId, startedAt });
    expect((await list('?Offset=1&Limit=1')).items[0]).to.include({ id: second.id });
    expect((await list(`?AgentId=${agentId.toUpperCase()}`)).total).to.equal(1);
    expect((await list(`?ConversationId=${conversationId}`)).items[0]).to.include({ id });
    expect((await tenant.client.get('/api/v1/RealtimeSession?AgentId=x')).status).to.equal(400);
  });

  it('are ended once from anywhere, which is audited', async () => {
    const session = await talking();
    const path = `/api/v1/RealtimeSession/${session.id}`;
    expect((await tenant.client.delete(path)).status).to.equal(204);
    expect(await revoked(session)).to.equal(true);
    await live.forget(session);
    expect((await tenant.client.delete(path)).status).to.equal(404);
    const records = await api.database.asSystem(({ trx }) =>
      trx
        .selectFrom('auditLog')
        .select(['actor', 'action'])
        .where('resourceId', '=', session.id)
        .execute(),
    );
    expect(records).to.deep.equal([
      {
        actor: { kind: 'key', id: tenant.keyId, name: 'test' },
        action: 'realtimeSession.revoked',
      },
    ]);
  });

  describe('that can be resumed', () => {
    let session: LiveSession;
    beforeEach(async () => {
      const seed = recordSeed(api.database, tenant.id);
      const conversation = await seed.conversation(agentId);
      const id = await seed.session(conversation);
      await api.database.inOrganization(tenant.id, (scope) =>
        keepTicket(scope, { id, ticket: {} }),
      );
      session = await talking({ id, conversationId: conversation.id });
    });
    const takeOver = () =>
      api.database.inOrganization(tenant.id, (scope) =>
        takeOverSession(scope, { ...session, to: randomUUID() }),
      );
    const end = async () =>
      (await tenant.client.delete(`/api/v1/RealtimeSession/${session.id}`)).status;

    it('are continued by no other pod once they were ended', async () => {
      expect(await end()).to.equal(204);
      expect(await takeOver()).to.deep.equal({ outcome: 'over' });
    });

    it('are over once another pod continues them', async () => {
      expect((await takeOver()).outcome).to.equal('taken');
      expect(await end()).to.equal(404);
      expect(await revoked(session)).to.equal(false);
    });

    it('can still be continued if they were no longer live', async () => {
      await live.forget(session);
      expect(await end()).to.equal(404);
      expect((await takeOver()).outcome).to.equal('taken');
    });
  });

  it('of another organization are not there', async () => {
    const session = await talking({ organizationId: (await api.organization()).id });
    expect((await tenant.client.delete(`/api/v1/RealtimeSession/${session.id}`)).status).to.equal(
      404,
    );
    expect(await revoked(session)).to.equal(false);
    expect((await tenant.client.delete('/api/v1/RealtimeSession/x')).status).to.equal(400);
  });

  it('need the scope realtime', async () => {
    const { client } = await api.organization({ scopes: ['conversations'] });
    expect((await client.get('/api/v1/RealtimeSession')).status).to.equal(403);
    expect((await client.delete(`/api/v1/RealtimeSession/${randomUUID()}`)).status).to.equal(403);
  });

  it('end with their conversation and with their agent', async () => {
    const conversation = await recordSeed(api.database, tenant.id).conversation(agentId);
    const [inIt, beside] = [await talking({ conversationId: conversation.id }), await talking()];
    await tenant.client.delete(`/api/v1/Conversation/${conversation.id}`);
    expect([await revoked(inIt), await revoked(beside)]).to.deep.equal([true, false]);
    const other = await talking({ agentId: randomUUID() });
    await tenant.client.delete(`/api/v1/Agent/${agentId}`);
    expect([await revoked(beside), await revoked(other)]).to.deep.equal([true, false]);
  });

  describe('without Redis', () => {
    needs('redis-server');

    it('are 503 with Retry-After, and an agent can be deleted all the same', async () => {
      const server = await startRedisServer();
      const stranded = await startApi({ redisUrl: server.url });
      try {
        const { client } = await stranded.organization();
        const agent = await client.post('/api/v1/Agent', { name: 'A' });
        await server.kill();
        for (const reply of [
          await client.get('/api/v1/RealtimeSession'),
          await client.delete(`/api/v1/RealtimeSession/${randomUUID()}`),
        ]) {
          expect(reply.status).to.equal(503);
          expect(reply.headers.get('retry-after')).to.match(/^\d+$/);
        }
        const { id } = agent.body as { id: string };
        expect((await client.delete(`/api/v1/Agent/${id}`)).status).to.equal(204);
        expect(stranded.logLines.join('')).to.include('ending live sessions failed');
      } finally {
        await stranded.stop();
        await server.stop();
      }
    });
  });
});
