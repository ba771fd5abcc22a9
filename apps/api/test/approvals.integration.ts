import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { decideToolCall, keepTicket, type ConversationRecord } from '@parley/database';
import type { Approval } from '@parley/protocol';
import { createLiveSessions, podChannel } from '@parley/session-store';
import { needs, startRedisServer, testRedis, waitFor } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode, type Reply } from './support/contract-client.js';
import { recordSeed } from './support/record-seed.js';
import { callsOf } from './support/waiting-calls.js';

describe('approvals over REST', () => {
  let api: ApiUnderTest;
  let redisUrl: string;
  let tenant: Tenant;
  let conversation: ConversationRecord;
  let wait: ReturnType<typeof callsOf>;

  before(async () => {
    redisUrl = (await testRedis()).url;
    api = await startApi({ redisUrl });
  });
  beforeEach(async () => {
    tenant = await api.organization();
    const agent = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    const seed = recordSeed(api.database, tenant.id);
    conversation = await seed.conversation((agent.body as { id: string }).id);
    wait = callsOf(api, tenant);
  });
  after(() => api.stop());

  const decide = (idOrCallId: string, way: 'approve' | 'reject'): Promise<Reply> =>
    tenant.client.post(`/api/v1/Approval/${encodeURIComponent(idOrCallId)}/${way}`);
  const list = async (query = ''): Promise<{ items: Approval[]; total: number }> =>
    (await tenant.client.get(`/api/v1/Approval${query}`)).body as never;

  it('shows what waits, with the arguments exactly as they are bound', async () => {
    const bound = { z: 'x\0', a: [{ deep: null }], n: 12.5 };
    const call = await wait(conversation, { arguments: bound });
    const { items, total } = await list();
    expect(total).to.equal(1);
    expect(items[0]).to.deep.include({
      id: call.id,
      callId: call.callId,
      agentId: conversation.agentId,
      conversationId: conversation.id,
      sessionId: call.sessionId,
      name: 'pay',
      deadline: call.deadline.toISOString(),
      state: 'waiting',
      decidedBy: null,
      decidedAt: null,
    });
    expect(JSON.stringify(items[0]!.arguments)).to.equal(JSON.stringify(bound));
  });

  it('refuses to decide what is the client’s alone, and leaves it waiting', async () => {
    const call = await wait(conversation, { approvers: ['client'] });
    for (const way of ['approve', 'reject'] as const) {
      const refused = await decide(call.id, way);
      expect(refused.status).to.equal(403);
      expect(problemCode(refused)).to.equal('approval-client-only');
    }
    expect((await list()).items[0]).to.deep.include({ state: 'waiting', approvers: ['client'] });
  });

  it('decides what is not the client’s', async () => {
    const { id } = await wait(conversation, { approvers: ['api'] });
    expect((await decide(id, 'approve')).body).to.deep.include({ approvers: ['api'] });
  });

  for (const [way, state] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const)
    it(`lets a caller ${way} by id or by call id, once, and tells the pod`, async () => {
      for (const by of ['id', 'callId'] as const) {
        const call = await wait(conversation, { callId: `a/b %${randomUUID()}` });
        const subscriber = new Redis(redisUrl);
        await subscriber.subscribe(podChannel(call.owner));
        const heard = once(subscriber, 'message');
        const reply = await decide(call[by], way);
        expect(reply.status).to.equal(200);
        expect(reply.body).to.deep.include({
          id: call.id,
          state,
          decidedBy: { kind: 'key', id: tenant.keyId, name: 'test' },
        });
        expect(await heard).to.deep.equal([podChannel(call.owner), `approval ${call.id}`]);
        subscriber.disconnect();
        for (const again of ['approve', 'reject'] as const) {
          const refused = await decide(call[by], again);
          expect(refused.status).to.equal(409);
          expect(problemCode(refused)).to.equal('approval-decided');
          expect((refused.body as { detail: string }).detail).to.include(state);
        }
      }
      expect((await list()).total).to.equal(0);
      expect((await list(`?State=${state}`)).total).to.equal(2);
    });

  it('repeats its answer to a request that is repeated under its key', async () => {
    const { id } = await wait(conversation);
    const path = `/api/v1/Approval/${id}/approve`;
    const headers = { 'Idempotency-Key': randomUUID() };
    const [first, again] = [
      await tenant.client.post(path, undefined, { headers }),
      await tenant.client.post(path, undefined, { headers }),
    ];
    expect([first.status, again.status]).to.deep.equal([200, 200]);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(again.body).to.deep.equal(first.body);
  });

  it('decides nothing if its answer cannot be stored under the key of the request', async () => {
    const { id } = await wait(conversation);
    const headers = { 'Idempotency-Key': randomUUID() };
    // Its last record makes the organization's log wait for us.
    const sending = await api.database.asSystem(async ({ trx }) => {
      await sql`select from audit_heads where organization_id = ${tenant.id} for update`.execute(
        trx,
      );
      const reply = tenant.client.post(`/api/v1/Approval/${id}/approve`, undefined, { headers });
      const isWaiting = async () => {
        const { rows } = await sql`select from pg_locks
          where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(trx);
        return rows.length > 0;
      };
      await waitFor(isWaiting, { what: 'the decision to wait for the audit log' });
      await sql`update idempotency_keys set claim = gen_random_uuid()
        where organization_id = ${tenant.id}`.execute(trx);
      return { reply };
    });
    expect(problemCode(await sending.reply)).to.equal('idempotency-in-progress');
    expect((await list()).items[0]).to.deep.include({ id, state: 'waiting' });
  });

  it('refuses to approve what nobody would run, and leaves it waiting', async () => {
    const redis = new Redis(redisUrl);
    const liveSessions = createLiveSessions(redis);
    const { id: organizationId } = tenant;
    const silenced = async (sessionId: string) => {
      const { id: conversationId, agentId } = conversation;
      const ids = { id: sessionId, organizationId, agentId, conversationId };
      const session = { ...ids, pod: 'p', startedAt: new Date().toISOString() };
      await liveSessions.enter(session, 100);
      expect(await liveSessions.isSilent(sessionId)).to.equal(false);
      const beats = (await redis.keys('*beats')).join();
      await redis.zadd(beats, Date.now() - 20_000, sessionId);
      expect(await liveSessions.isSilent(sessionId)).to.equal(true);
      return session;
    };
    const call = await wait(conversation);
    const session = await silenced(call.sessionId);
    const refused = await decide(call.id, 'approve');
    expect([refused.status, problemCode(refused)]).to.deep.equal([409, 'approval-session-silent']);
    expect((await list()).items[0]).to.include({ state: 'waiting' });
    await liveSessions.beat('p', [session]);
    expect((await decide(call.id, 'approve')).status).to.equal(200);

    const movable = await wait(conversation);
    await api.database.inOrganization(organizationId, (scope) =>
      keepTicket(scope, { id: movable.sessionId, ticket: {} }),
    );
    await silenced(movable.sessionId);
    expect((await decide(movable.id, 'approve')).status).to.equal(200);

    const rejected = await wait(conversation);
    await silenced(rejected.sessionId);
    expect((await decide(rejected.id, 'reject')).status).to.equal(200);
    redis.disconnect();
  });

  it('repeats the answer of a decision that is sent again with its Idempotency-Key', async () => {
    const call = await wait(conversation);
    const path = `/api/v1/Approval/${call.id}/approve`;
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await tenant.client.post(path, undefined, { headers });
    const again = await tenant.client.post(path, undefined, { headers });
    expect([again.status, again.body]).to.deep.equal([200, first.body]);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect((await decide(call.id, 'approve')).status).to.equal(409);
    const other = await tenant.client.post(path.replace('approve', 'reject'), undefined, {
      headers,
    });
    expect(other.status).to.equal(422);
  });

  it('records each decision in the audit log with its actor', async () => {
    const call = await wait(conversation);
    await Promise.all(Array.from({ length: 20 }, () => decide(call.id, 'approve')));
    const records = await api.database.asSystem(({ trx }) =>
      trx
        .selectFrom('auditLog')
        .select(['actor', 'action', 'resourceType'])
        .where('resourceId', '=', call.id)
        .execute(),
    );
    expect(records).to.deep.equal([
      {
        actor: { kind: 'key', id: tenant.keyId, name: 'test' },
        action: 'approval.approved',
        resourceType: 'approval',
      },
    ]);
  });

  it('decides once among many that race', async () => {
    const call = await wait(conversation);
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => decide(call.id, n % 2 ? 'approve' : 'reject')),
    );
    expect(replies.filter(({ status }) => status === 200)).to.have.length(1);
    expect(replies.filter(({ status }) => status === 409)).to.have.length(39);
  });

  it('answers 409 after the deadline, and the approval is expired', async () => {
    const call = await wait(conversation, { timeoutMs: 0 });
    const reply = await decide(call.id, 'approve');
    expect(reply.status).to.equal(409);
    expect((reply.body as { detail: string }).detail).to.include('expired');
    expect((await list('?State=expired')).total).to.equal(1);
  });

  it('answers 409 for a call that its session took along', async () => {
    const call = await wait(conversation);
    await api.database.inOrganization(tenant.id, (scope) =>
      decideToolCall(scope, call.id, { approval: 'cancelled', by: null }),
    );
    const reply = await decide(call.callId, 'approve');
    expect((reply.body as { detail: string }).detail).to.include('cancelled');
  });

  it('does not guess between two calls that wait under one call id', async () => {
    const calls = [
      await wait(conversation, { callId: 'call_1' }),
      await wait(conversation, { callId: 'call_1' }),
    ];
    const reply = await decide('call_1', 'approve');
    expect(reply.status).to.equal(409);
    expect(problemCode(reply)).to.equal('approval-ambiguous');
    expect((await decide(calls[0]!.id, 'reject')).status).to.equal(200);
    expect((await decide('call_1', 'approve')).body).to.include({ id: calls[1]!.id });
  });

  it('is 404 for what is absent or another organization’s', async () => {
    const call = await wait(conversation);
    const stranger = await api.organization();
    for (const text of [call.id, call.callId]) {
      const path = `/api/v1/Approval/${text}/approve`;
      expect((await stranger.client.post(path)).status).to.equal(404);
    }
    for (const text of [randomUUID(), 'x', '%', '../x', "' or 1=1 --", 'ü'])
      expect((await decide(text, 'approve')).status, text).to.equal(404);
    expect((await list()).total).to.equal(1);
  });

  it('is 400 for what no call id can be', async () => {
    for (const text of ['a\0b', 'x'.repeat(513)])
      expect(problemCode(await decide(text, 'approve'))).to.equal('id-malformed');
    expect((await tenant.client.post('/api/v1/Approval/%E0%A4%A/approve')).status).to.equal(400);
  });

  it('filters by state, agent and conversation, pages, and refuses nonsense', async () => {
    for (let n = 0; n < 3; n += 1) await wait(conversation);
    const { agentId, id } = conversation;
    expect((await list(`?AgentId=${agentId}&ConversationId=${id}&Offset=1&Limit=1`)).total)
      .to //
      .equal(3);
    expect((await list(`?AgentId=${randomUUID()}`)).total).to.equal(0);
    expect((await list('?Offset=2')).items).to.have.length(1);
    for (const query of ['?State=all', '?AgentId=x', '?Limit=0', '?Foo=1'])
      expect((await tenant.client.get(`/api/v1/Approval${query}`)).status).to.equal(400);
  });

  it('needs the scope', async () => {
    const { client } = await api.organization({ scopes: ['conversations'] });
    expect((await client.get('/api/v1/Approval')).status).to.equal(403);
    expect((await client.post('/api/v1/Approval/x/approve')).status).to.equal(403);
  });

  describe('without Redis', () => {
    needs('redis-server');

    it('decides all the same, once', async () => {
      const server = await startRedisServer();
      const stranded = await startApi({ redisUrl: server.url });
      try {
        const owner = await stranded.organization();
        const agent = await owner.client.post('/api/v1/Agent', { name: 'A' });
        const seed = recordSeed(stranded.database, owner.id);
        const there = await seed.conversation((agent.body as { id: string }).id);
        const { id } = await callsOf(stranded, owner)(there);
        await server.kill();
        const reply = await owner.client.post(`/api/v1/Approval/${id}/approve`);
        expect(reply.body).to.include({ id, state: 'approved' });
        expect(reply.status).to.equal(200);
        const again = await owner.client.post(`/api/v1/Approval/${id}/reject`);
        expect(again.status).to.equal(409);
      } finally {
        await stranded.stop();
        await server.stop();
      }
    });
  });
});
