import { approvalMetrics, createApprovalDesk } from '@parley/approvals';
import type { Logger, Metrics } from '@parley/service-kit';
import {
  connectRedis,
  createApprovals,
  createJobProducer,
  createLiveSessions,
  jobQueues,
  type Redis,
  type RedisOptions,
} from '@parley/session-store';
import { backlogMetrics } from './backlog-metrics.js';
import { consume } from './consume.js';
import { expireApproval } from './expire-approval.js';
import type { JobContext } from './job.js';
import { jobNames } from './jobs.js';
import { workerMetrics } from './metrics.js';
import { openQueue, type JobQueue } from './queue.js';
import { runJob } from './run-job.js';

export type WorkerOptions = Pick<
  JobContext,
  'database' | 'secretBox' | 'egress' | 'files' | 'settings'
> & {
  readonly redis: RedisOptions;
  readonly logger: Logger;
  readonly registry: Metrics['registry'];
};

export type RunningWorker = {
  /** Takes no more jobs, and waits for those that run as long as the drain lasts. What is cut off then, another worker repeats. */
  close(): Promise<void>;
};

/** Timers that run at the same time: each is a script in Redis and a short transaction. */
const timers = 20;

/** Rejects when Redis cannot be reached. Once started, it outlives Redis: it goes on when Redis is back, with or without its data. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { logger, settings } = options;
  const onError = (err: Error) => logger.warn({ err }, 'job queue trouble');
  const redis = await connectRedis({ ...options.redis, name: 'parley-worker' });
  const queue = openQueue(redis, onError);
  const producer = createJobProducer(redis, onError);
  const hangUp = async () => {
    await Promise.all([queue.close(), producer.close()]);
    redis.disconnect();
  };
  try {
    await queue.schedule();
  } catch (error) {
    await hangUp();
    throw error;
  }
  // Redis may come back empty: the schedules are told again after each reconnect.
  redis.on('ready', () => void queue.schedule().catch(onError));
  const context = { ...options, ...contextOf(options, { redis, producer }) };
  const consumers = openConsumers(context, { queue, onError });
  return {
    async close() {
      const timeoutMs = settings.DRAIN_TIMEOUT_SECONDS * 1000;
      await Promise.all(consumers.map((consumer) => consumer.close(timeoutMs)));
      await hangUp();
    },
  };
}

type Stores = { redis: Redis; producer: ReturnType<typeof createJobProducer> };

function contextOf(
  { database, logger, registry }: WorkerOptions,
  { redis, producer }: Stores,
): Pick<JobContext, 'approvals' | 'desk' | 'liveSessions'> {
  const approvals = createApprovals(redis);
  backlogMetrics(registry, approvals, (err) => logger.warn({ err }, 'approvals not counted'));
  const desk = createApprovalDesk({
    database,
    approvals,
    redis,
    producer,
    metrics: approvalMetrics(registry),
    onError: (err) => logger.warn({ err }, 'a decision was not told'),
  });
  return { approvals, desk, liveSessions: createLiveSessions(redis) };
}

function openConsumers(
  context: WorkerOptions & JobContext,
  { queue, onError }: { queue: JobQueue; onError: (error: Error) => void },
) {
  const { redis, logger, registry, desk } = context;
  const runner = { ...context, queue, metrics: workerMetrics(registry) };
  return [
    consume({
      queue: jobQueues.maintenance,
      redis,
      // A long job keeps none of the others waiting.
      concurrency: jobNames.length,
      process: ({ name }) => runJob(runner, name),
      onError,
    }),
    consume({
      queue: jobQueues.approvals,
      redis,
      concurrency: timers,
      process: expireApproval(desk, logger),
      onError,
    }),
  ];
}
