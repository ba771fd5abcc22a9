import { randomUUID } from 'node:crypto';
import { Job, Queue } from 'bullmq';
import { Registry } from 'prom-client';
import { approvalMetrics, createApprovalDesk } from '@parley/approvals';
import { recordToolCall } from '@parley/database';
import {
  connectRedis,
  createAuditWatch,
  createLiveSessions,
  jobQueues,
  openJobProducer,
  type LiveSession,
} from '@parley/session-store';
import { testRedis, waitFor } from '@parley/testkit';
import type { Organization, TestRecord } from './record.js';

export type WaitingCall = { id: string; live: LiveSession };

/** What the worker has in Redis, and calls that wait. */
export async function openCoordination(record: TestRecord, redisUrl?: string) {
  const url = redisUrl ?? (await testRedis()).url;
  const redis = await connectRedis({ url, name: 'test' });
  const liveSessions = createLiveSessions(redis);
  const { prefix, approvals: timers } = jobQueues;
  const queue = new Queue(timers, { prefix, connection: redis }).on('error', () => undefined);
  const producer = await openJobProducer(redis, () => undefined);
  const approvals = createApprovalDesk({
    ...{ database: record.database, redis, producer },
    metrics: approvalMetrics(new Registry()),
    onError: () => undefined,
  });
  return {
    redisUrl: url,
    auditWatch: createAuditWatch(redis),
    approvals,
    liveSessions,
    producer,
    /** A call of a new session. */
    async waitingCall(of: Organization, timeoutMs: number): Promise<WaitingCall> {
      const [conversationId] = await record.addConversations(of, { count: 1, daysAgo: 0 });
      const sessionId = await record.addSession(conversationId!, 5);
      const id = randomUUID();
      const pod = `pod-${id}`;
      await record.database.inOrganization(of.id, (scope) =>
        recordToolCall(scope, {
          id,
          messageId: randomUUID(),
          conversationId: conversationId!,
          sessionId,
          runId: null,
          parentId: null,
          agentId: of.agentId,
          callId: `call_${id}`,
          name: 'pay',
          arguments: {},
          position: 1,
          createdAt: new Date(),
        }),
      );
      const ask = { timeoutMs, approvers: ['client', 'api'], owner: pod } as const;
      await approvals.open({ id, organizationId: of.id }, ask);
      const startedAt = new Date().toISOString();
      const live = { id: sessionId, conversationId: conversationId!, pod, startedAt };
      return { id, live: { ...live, organizationId: of.id, agentId: of.agentId } };
    },
    /** The delayed job of an approval, once it is queued. */
    timerOf: (id: string) =>
      waitFor(() => Job.fromId(queue, `apr-${id}`), { what: 'the timer of the approval' }),
    /** As if the pod had not been heard of for a minute, and somebody had watched all the while. */
    async fallSilent({ id }: LiveSession): Promise<void> {
      const [seconds] = await redis.time();
      const now = Number(seconds) * 1000;
      await redis.zincrby('parley:{live}:beats', -60_000, id);
      await redis.set('parley:{live}:watch', `${now - 60_000} ${now - 5000}`);
    },
    async loseData(): Promise<void> {
      await redis.flushdb();
    },
    async close(): Promise<void> {
      await Promise.all([producer.close(), queue.close()]);
      redis.disconnect();
    },
  };
}

export type Coordination = Awaited<ReturnType<typeof openCoordination>>;
