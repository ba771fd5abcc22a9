import { Queue } from 'bullmq';
import type { Redis } from './topology.js';

/** Where jobs wait: one queue per kind of work, so that none holds up another. The braces keep all keys on one node of a cluster. */
export const jobQueues = {
  prefix: 'parley:{jobs}',
  /** Scheduled work. */
  maintenance: 'maintenance',
  /** Requests to servers of others, which may be slow. */
  webhooks: 'webhooks',
  /** Deadlines of approvals. */
  approvals: 'approvals',
  /** Suspended questions that go on. */
  runs: 'runs',
} as const;

export type ExpireApproval = { readonly id: string };
export type ResumeRun = { readonly runId: string };

export const expireApprovalJob = 'expire-approval';
export const resumeRunJob = 'resume-run';

/** Hands work to the workers. Without Redis it rejects at once: a caller that needs the job must know. */
export type JobProducer = {
  /** Told twice, it fires once, at the first time. */
  expireApproval(id: string, delayMs: number): Promise<void>;
  resumeRun(runId: string): Promise<void>;
  /** The client stays its owner's to close. */
  close(): Promise<void>;
};

const jobOptions = { removeOnComplete: true, removeOnFail: { age: 86_400, count: 1000 } };

export function createJobProducer(redis: Redis, onError: (error: Error) => void): JobProducer {
  const open = (name: string) => {
    const queue = new Queue(name, { prefix: jobQueues.prefix, connection: redis });
    queue.on('error', onError);
    return queue;
  };
  const approvals = open(jobQueues.approvals);
  const runs = open(jobQueues.runs);
  return {
    async expireApproval(id, delayMs) {
      const data: ExpireApproval = { id };
      const delay = Math.max(0, Math.ceil(delayMs));
      await approvals.add(expireApprovalJob, data, { ...jobOptions, jobId: `apr-${id}`, delay });
    },
    async resumeRun(runId) {
      const data: ResumeRun = { runId };
      // One that waits or runs stands for all: a run looks for news once more before it rests again.
      await runs.add(resumeRunJob, data, { ...jobOptions, deduplication: { id: runId } });
    },
    async close() {
      await Promise.all([approvals.close(), runs.close()]);
    },
  };
}
