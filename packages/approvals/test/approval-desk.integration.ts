import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import {
  cancelSessionCalls,
  decideToolCall,
  findToolCall,
  insertAgent,
  insertConversation,
  insertOrganization,
  markWaiting,
  recordToolCall,
  startRealtimeSession,
  type OrganizationScope,
} from '@parley/database';
import {
  connectRedis,
  createApprovals,
  podChannel,
  type Approvals,
  type Redis as Client,
} from '@parley/session-store';
import { migratedDatabase, plainAgent, testRedis, type MigratedDatabase } from '@parley/testkit';
import {
  createApprovalDesk,
  type ApprovalDesk,
  type ApprovalDeskOptions,
} from '#src/approval-desk.js';
import { approvalMetrics } from '#src/approval-metrics.js';
import { measureDecisions } from '#src/measure-decisions.js';

const by = { kind: 'key', id: randomUUID(), name: 'backend' } as const;

describe('the approval desk', () => {
  let db: MigratedDatabase;
  let url: string;
  let redis: Client;
  let approvals: Approvals;
  let desk: ApprovalDesk;
  let registry: Registry;
  let resumed: string[];
  let ids: { organizationId: string; agentId: string; conversationId: string };

  const work = <T>(step: (scope: OrganizationScope) => Promise<T>): Promise<T> =>
    db.database.inOrganization(ids.organizationId, step);

  before(async () => {
    db = await migratedDatabase();
    const { id: organizationId } = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'O' }),
    );
    ids = { organizationId, agentId: '', conversationId: '' };
    ids.agentId = await work((scope) => insertAgent(scope, plainAgent));
    ids.conversationId = (await work((scope) => insertConversation(scope, ids.agentId))).id;
  });
  beforeEach(async () => {
    ({ url } = await testRedis());
    redis = await connectRedis({ url, name: 'test' });
    registry = new Registry();
    approvals = measureDecisions(createApprovals(redis), approvalMetrics(registry));
    resumed = [];
    desk = createApprovalDesk(options());
  });
  afterEach(() => redis.disconnect());
  after(() => db.drop());

  const options = (): ApprovalDeskOptions => ({
    database: db.database,
    approvals,
    redis,
    producer: { resumeRun: (runId) => Promise.resolve(void resumed.push(runId)) },
    metrics: approvalMetrics(registry),
    onError: (error) => {
      throw error;
    },
  });

  /** A call that waits in Redis and in the record. */
  const waitingCall = async (timeoutMs: number, runId: string | null = null) => {
    const { agentId, conversationId, organizationId } = ids;
    const sessionId = runId === null ? randomUUID() : null;
    const tokenHash = randomBytes(32);
    if (sessionId)
      await work((scope) =>
        startRealtimeSession(scope, {
          ...{ id: sessionId, agentId, conversationId, tokenHash, keyId: null },
        }),
      );
    const call = { id: randomUUID(), sessionId, runId };
    await work((scope) =>
      recordToolCall(scope, {
        ...call,
        messageId: randomUUID(),
        conversationId,
        agentId,
        parentId: null,
        callId: `call_${call.id}`,
        name: 'pay',
        arguments: {},
        position: 1,
        createdAt: new Date(),
      }),
    );
    const ticket = { ...call, organizationId, owner: `pod-${call.id}`, argumentsHash: '' };
    const deadline = await approvals.open(ticket, timeoutMs);
    await work((scope) => markWaiting(scope, call.id, { deadline, approvers: ['client', 'api'] }));
    return { ...ticket, deadline };
  };
  const stored = async (id: string) => (await work((scope) => findToolCall(scope, id)))!;
  const counted = async (name: string) =>
    (await registry.getSingleMetric(name)!.get()).values.filter(({ value }) => value > 0);
  const auditOf = (id: string) =>
    work(({ trx }) =>
      trx.selectFrom('auditLog').select(['action', 'actor']).where('resourceId', '=', id).execute(),
    );

  for (const decision of ['approved', 'rejected'] as const)
    it(`records, audits and tells the owner that a call was ${decision}`, async () => {
      const call = await waitingCall(60_000);
      const subscriber = new Redis(url);
      await subscriber.subscribe(podChannel(call.owner));
      const heard = once(subscriber, 'message');
      expect(await desk.decide(call, decision, by)).to.equal(true);
      expect(await heard).to.deep.equal([podChannel(call.owner), `approval ${call.id}`]);
      subscriber.disconnect();
      const row = await stored(call.id);
      expect(row).to.include({ approval: decision, finishedAt: null });
      expect(row.decidedBy).to.deep.equal(by);
      expect(await auditOf(call.id)).to.deep.equal([{ action: `approval.${decision}`, actor: by }]);
      expect(await desk.decide(call, 'rejected', by)).to.equal(false);
      expect(await auditOf(call.id)).to.have.length(1);
      expect(await counted('parley_approval_hints_unheard_total')).to.have.length(1);
    });

  it('expires what is due, finishes it readably, and blames nobody', async () => {
    const call = await waitingCall(0);
    expect(await desk.expire(call.id)).to.deep.equal({ outcome: 'expired' });
    expect(await desk.expire(call.id)).to.deep.equal({ outcome: 'decided' });
    const row = await stored(call.id);
    expect(row).to.include({ approval: 'expired', status: 2, decidedBy: null });
    expect(row.result).to.match(/timed out/);
    expect(row.finishedAt).to.be.instanceOf(Date);
    expect(await auditOf(call.id)).to.deep.equal([]);
    const [decisions] = await counted('parley_approval_decisions_total');
    expect(decisions).to.deep.include({ value: 1, labels: { outcome: 'expired' } });
  });

  it('measures how old each approval was when it was decided, once', async () => {
    const [approved, expired, late] = [
      await waitingCall(60_000),
      await waitingCall(0),
      await waitingCall(0),
    ];
    for (const verdict of ['approved', 'rejected'] as const)
      await desk.decide(approved, verdict, by);
    await desk.expire(expired.id);
    for (const verdict of ['approved', 'rejected'] as const) await desk.decide(late, verdict, by);
    const text = await registry.metrics();
    for (const [outcome, count] of Object.entries({ approved: 1, rejected: 0, expired: 2 }))
      expect(text).to.match(
        new RegExp(`^parley_approval_age_seconds_count\\{outcome="${outcome}"\\} ${count}$`, 'm'),
      );
  });

  it('tells how early it is', async () => {
    const call = await waitingCall(60_000);
    const early = await desk.expire(call.id);
    expect(early.outcome).to.equal('early');
    expect(await stored(call.id)).to.include({ approval: 'waiting' });
  });

  it('resumes a suspended question, and leaves its call to it', async () => {
    const call = await waitingCall(0, randomUUID());
    await desk.expire(call.id);
    expect(await stored(call.id)).to.include({ approval: 'expired', finishedAt: null });
    const other = await waitingCall(60_000, randomUUID());
    await desk.decide(other, 'approved', by);
    expect(resumed).to.deep.equal([call.runId, other.runId]);
  });

  it('expires what is decided too late', async () => {
    const call = await waitingCall(0);
    expect(await desk.decide(call, 'approved', by)).to.equal(false);
    expect(await stored(call.id)).to.include({ approval: 'expired', status: 2, decidedBy: null });
  });

  it('completes in the record what Redis decided for somebody who died', async () => {
    const call = await waitingCall(60_000);
    await approvals.decide(call.id, 'approved', by);
    expect(await desk.decide(call, 'rejected', { kind: 'system', name: 'other' })).to.equal(false);
    const row = await stored(call.id);
    expect(row).to.include({ approval: 'approved' });
    expect(row.decidedBy).to.deep.equal(by);
  });

  it('has decided also what the owner reads in Redis and records first', async () => {
    const call = await waitingCall(60_000);
    const overtaken = createApprovalDesk({
      ...options(),
      approvals: {
        ...approvals,
        async decide(...decision) {
          const outcome = await approvals.decide(...decision);
          await work((scope) => decideToolCall(scope, call.id, { approval: 'approved', by }));
          return outcome;
        },
      },
    });
    expect(await overtaken.decide(call, 'approved', by)).to.equal(true);
    expect(await auditOf(call.id)).to.have.length(1);
  });

  it('approves nothing that its session took along', async () => {
    const call = await waitingCall(60_000);
    await work((scope) => cancelSessionCalls(scope, call.sessionId!));
    expect(await desk.decide(call, 'approved', by)).to.equal(false);
    expect(await stored(call.id)).to.include({ approval: 'cancelled', status: 2 });
  });

  it('decides by the record when Redis has lost its data', async () => {
    const [call, late] = [await waitingCall(60_000), await waitingCall(0)];
    await redis.flushdb();
    expect(await desk.expire(call.id)).to.deep.equal({ outcome: 'unknown' });
    expect(await desk.decide(call, 'approved', by)).to.equal(true);
    expect(await desk.decide(call, 'rejected', by)).to.equal(false);
    expect(await stored(call.id)).to.include({ approval: 'approved' });
    expect(await desk.decide(late, 'approved', by)).to.equal(false);
    expect(await stored(late.id)).to.include({ approval: 'expired' });
    const third = await waitingCall(0);
    await redis.flushdb();
    expect(await desk.expire(third.id, third)).to.deep.equal({ outcome: 'expired' });
    expect(await stored(third.id)).to.include({ approval: 'expired', status: 2 });
  });
});
