import { Queue } from 'bullmq';
import type { Redis } from './topology.js';

/**
 * The job queues: one per kind of work, so that none blocks another. The braces keep all keys on
 * one node of a cluster.
 */
export const jobQueues = {
  prefix: 'parley:{jobs}',
  /** Scheduled work. */
  maintenance: 'maintenance',
  /** Requests to external servers, which may be slow. */
  webhooks: 'webhooks',
  /** Deadlines of approvals. */
  approvals: 'approvals',
  /** Suspended questions to resume. */
  runs: 'runs',
} as const;

export type ExpireApproval = { readonly id: string };
export type ResumeRun = { readonly runId: string };

export const expireApprovalJob = 'expire-approval';
export const resumeRunJob = 'resume-run';

/**
 * Queues work for the workers. Without Redis it rejects immediately, because a caller that needs
 * the job must know.
 */
export type JobProducer = {
  /** If called twice, it fires once, at the first deadline. */
  expireApproval(id: string, deadline: Date): Promise<void>;
  enqueueRun(runId: string): Promise<void>;
  /** The client stays open; its owner closes it. */
  close(): Promise<void>;
};

/** A finished job that is kept blocks its id, which a schedule derives from the time. */
const defaultJobOptions = { removeOnComplete: true, removeOnFail: { age: 86_400, count: 1000 } };

/**
 * BullMQ asks Redis once what it can do. Without an answer, the queue fails for ever, also when
 * Redis is back: so it is not handed out.
 */
export async function openJobQueue(
  name: string,
  redis: Redis,
  onError: (error: Error) => void,
): Promise<Queue> {
  const { prefix } = jobQueues;
  const queue = new Queue(name, { prefix, connection: redis, defaultJobOptions });
  queue.on('error', onError);
  await queue.waitUntilReady();
  return queue;
}

export async function openJobProducer(
  redis: Redis,
  onError: (error: Error) => void,
): Promise<JobProducer> {
  const approvals = await openJobQueue(jobQueues.approvals, redis, onError);
  const runs = await openJobQueue(jobQueues.runs, redis, onError);
  return {
    async expireApproval(id, deadline) {
      const data: ExpireApproval = { id };
      // It fires at their sum, which is the deadline, even if the clock of this process is wrong.
      const timestamp = Date.now();
      const delay = Math.max(0, deadline.getTime() - timestamp);
      await approvals.add(expireApprovalJob, data, { jobId: `apr-${id}`, timestamp, delay });
    },
    async enqueueRun(runId) {
      const data: ResumeRun = { runId };
      // One waiting or running job is enough: a run checks for changes once more before it rests
      // again.
      await runs.add(resumeRunJob, data, { deduplication: { id: runId } });
    },
    async close() {
      await Promise.all([approvals.close(), runs.close()]);
    },
  };
}
