import { jobQueues, openJobQueue, type Redis } from '@parley/session-store';
import { jobNames, jobs, queueOf, type JobName } from './jobs.js';

export type JobQueue = {
  /**
   * Registers every schedule in Redis. A known schedule continues unchanged, and each tick is one
   * job, however many workers register it.
   */
  schedule(): Promise<void>;
  /** Queues a run in addition to the schedule. */
  runNow(name: JobName): Promise<void>;
  close(): Promise<void>;
};

/** The client stays open; its owner closes it. */
export async function openQueue(redis: Redis, onError: (error: Error) => void): Promise<JobQueue> {
  const queues = {
    maintenance: await openJobQueue(jobQueues.maintenance, redis, onError),
    webhooks: await openJobQueue(jobQueues.webhooks, redis, onError),
  };
  return {
    async schedule() {
      for (const name of jobNames)
        await queues[queueOf(name)].upsertJobScheduler(
          name,
          { every: jobs[name].everySeconds * 1000 },
          { name },
        );
    },
    async runNow(name) {
      await queues[queueOf(name)].add(name, {});
    },
    async close() {
      await Promise.all(Object.values(queues).map((queue) => queue.close()));
    },
  };
}
