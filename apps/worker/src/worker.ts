import {
  createAgentRuntime,
  openQuestionJournal,
  questionMetrics,
  toolMetrics,
  type AdvanceOptions,
  type Report,
} from '@parley/agent-runtime';
import { approvalMetrics, createApprovalDesk, type ApprovalDesk } from '@parley/approvals';
import { approvalBacklog, deliveriesOverdueSeconds, type RecordJournal } from '@parley/database';
import type { ProviderConnection } from '@parley/providers';
import { storeMetrics, type Logger, type Metrics, type Tracing } from '@parley/service-kit';
import {
  connectRedis,
  createAuditWatch,
  createJobProducer,
  createLiveSessions,
  jobQueues,
  type JobProducer,
  type Redis,
  type RedisOptions,
} from '@parley/session-store';
import { auditMetrics } from './audit-metrics.js';
import { backlogMetrics } from './backlog-metrics.js';
import { consume } from './consume.js';
import { expireApproval } from './expire-approval.js';
import type { JobContext } from './job.js';
import { jobNames } from './jobs.js';
import { workerMetrics } from './metrics.js';
import { openQueue, type JobQueue } from './queue.js';
import { resumeRunProcessor } from './resume-run.js';
import { runJob } from './run-job.js';
import { webhookMetrics } from './webhook-metrics.js';

export type WorkerOptions = Pick<
  JobContext,
  'database' | 'secretBox' | 'egress' | 'files' | 'settings'
> & {
  /** For agents without a connection of their own. */
  readonly defaultConnection: ProviderConnection | undefined;
  readonly redis: RedisOptions;
  readonly logger: Logger;
  readonly registry: Metrics['registry'];
  readonly tracing?: Tracing;
  /** Told of the connection to Redis before the first job. */
  readonly onConnected?: (redis: Redis) => void;
  /** How often Redis is told the schedules. */
  readonly rescheduleMs?: number;
};

export type RunningWorker = {
  /** Takes no more jobs, and waits for those that run as long as the drain lasts. What is cut off then, another worker repeats. */
  close(): Promise<void>;
};

/** Timers that run at the same time: they share their transactions. */
const timers = 20;
/** Questions that go on at the same time: each mostly waits for its model. */
const questions = 20;
const minute = 60_000;

/** Runs that send to webhooks at the same time: one that waits for a slow server leaves the others to the rest. */
const senders = 8;

/** Rejects when Redis cannot be reached. Once started, it outlives Redis: it goes on when Redis is back, with or without its data. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { logger, settings } = options;
  const onError = (err: Error) => logger.warn({ err }, 'job queue error');
  const redis = await connectRedis({ ...options.redis, name: 'parley-worker' });
  options.onConnected?.(redis);
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
  storeMetrics(options.registry).watch({
    redis: () => redis.ping(),
    postgres: () => options.database.ping(),
  });
  const scheduling = keepScheduled({
    redis,
    queue,
    onError,
    everyMs: options.rescheduleMs ?? minute,
  });
  const journal = openQuestionJournal(options.database, reportTo(logger));
  const context = { ...options, ...contextOf(options, { redis, producer }), journal };
  const consumers = openConsumers(context, { queue, client: redis, onError });
  return {
    async close() {
      clearInterval(scheduling);
      const timeoutMs = settings.DRAIN_TIMEOUT_SECONDS * 1000;
      await Promise.all(consumers.map((consumer) => consumer.close(timeoutMs)));
      await journal.close();
      await hangUp();
    },
  };
}

type Scheduling = {
  readonly redis: Redis;
  readonly queue: Pick<JobQueue, 'schedule'>;
  readonly onError: (error: Error) => void;
  readonly everyMs: number;
};

/** Redis may come back empty after a reconnect, and FLUSHALL or a failover may empty it without one. To a Redis that knows the schedules nothing happens. */
function keepScheduled({ redis, queue, onError, everyMs }: Scheduling): NodeJS.Timeout {
  const tell = () => void queue.schedule().catch(onError);
  redis.on('ready', tell);
  return setInterval(tell, everyMs);
}

type Stores = { redis: Redis; producer: JobProducer };
type RedisContext = Pick<JobContext, 'liveSessions' | 'auditWatch' | 'webhooks'> & {
  approvals: ApprovalDesk;
  producer: JobProducer;
};

function contextOf(
  { database, logger, registry }: WorkerOptions,
  { redis, producer }: Stores,
): RedisContext {
  backlogMetrics(
    registry,
    () => database.asSystem(approvalBacklog),
    (err) => logger.warn({ err }, 'counting approvals failed'),
  );
  const approvals = createApprovalDesk({
    ...{ database, redis, producer },
    metrics: approvalMetrics(registry),
    onError: (err) => logger.warn({ err }, 'approval timer or hint failed'),
  });
  const webhooks = webhookMetrics(
    registry,
    () => database.asSystem(deliveriesOverdueSeconds),
    (err) => logger.warn({ err }, 'counting webhook deliveries failed'),
  );
  const auditWatch = createAuditWatch(redis);
  auditMetrics(registry, auditWatch, (err) =>
    logger.warn({ err }, 'reading audit verification state failed'),
  );
  const liveSessions = createLiveSessions(redis);
  return { approvals, producer, liveSessions, auditWatch, webhooks };
}

type Answering = WorkerOptions & RedisContext & { readonly journal: RecordJournal };

function openConsumers(
  context: Answering,
  { queue, client, onError }: { queue: JobQueue; client: Redis; onError: (error: Error) => void },
) {
  const { redis, logger, registry, approvals } = context;
  const runner = { ...context, queue, metrics: workerMetrics(registry) };
  const process = ({ name }: { name: string }) => runJob(runner, name);
  return [
    // A long job keeps none of the others waiting.
    consume({
      queue: jobQueues.maintenance,
      redis,
      concurrency: jobNames.length,
      process,
      onError,
    }),
    consume({ queue: jobQueues.webhooks, redis, concurrency: senders, process, onError }),
    consume({
      queue: jobQueues.approvals,
      redis,
      concurrency: timers,
      process: expireApproval(approvals, logger),
      onError,
    }),
    consume({
      queue: jobQueues.runs,
      redis,
      concurrency: questions,
      process: resumeRunProcessor({
        ...advanceOptions(context, client),
        places: questions,
        maxOpen: context.settings.QUOTA_QUESTIONS,
        logger,
      }),
      onError,
    }),
  ];
}

function advanceOptions(context: Answering, redis: Redis): AdvanceOptions {
  const { registry } = context;
  const report = reportTo(context.logger);
  const runtime = createAgentRuntime({ ...context, metrics: toolMetrics(registry), report });
  return { ...context, runtime, redis, report, metrics: questionMetrics(registry) };
}

function reportTo(logger: Logger): Report {
  return (event, details) => logger.warn({ ...details, event }, 'question');
}
