import {
  createAgentRuntime,
  openQuestionJournal,
  questionMetrics,
  toolMetrics,
  type AdvanceOptions,
  type Report,
} from '@parley/agent-runtime';
import { openApprovalDesk, type ApprovalDesk } from '@parley/approvals';
import { approvalBacklog, deliveriesOverdueSeconds, type RecordJournal } from '@parley/database';
import { openFileStore } from '@parley/file-store';
import type { Parts } from '@parley/parts';
import { unusable, type AppConfig, type Logger } from '@parley/service-kit';
import {
  createAuditWatch,
  createLiveSessions,
  jobQueues,
  openJobProducer,
  type JobProducer,
  type Redis,
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

export type WorkerParts = Parts<AppConfig<'worker'>> & {
  /** How often the schedules are registered in Redis. */
  readonly rescheduleMs?: number;
};

/** Timers that run at the same time: they share transactions. */
const timers = 20;
/** Questions that are resumed at the same time: each mostly waits for its model. */
const questions = 20;
const minute = 60_000;

/**
 * Concurrent runs that send to webhooks: while one waits for a slow server, the others continue.
 */
const senders = 8;

/**
 * Once open, it survives the loss of Redis: it continues when Redis is back, with or without its
 * data. Another worker repeats what a drain cuts off.
 */
export async function open(parts: WorkerParts): Promise<void> {
  const { logger, lifecycle, budget, database, redis, config, rescheduleMs = minute } = parts;
  const onError = (err: Error) => logger.warn({ err }, 'job queue error');
  const files = await openFileStore(database, config).catch(unusable('FILE_STORAGE'));
  const queue = await openQueue(redis, onError).catch(unusable('REDIS_URL'));
  const producer = await openJobProducer(redis, onError).catch(unusable('REDIS_URL'));
  lifecycle.add('job queues', async () => {
    await Promise.all([queue.close(), producer.close()]);
  });
  await queue.schedule().catch(unusable('REDIS_URL'));
  const scheduling = keepScheduled({ redis, queue, onError, everyMs: rescheduleMs });
  const journal = openQuestionJournal(database, reportTo(logger), budget.journalMs);
  lifecycle.add('record', () => journal.close());
  const context = { ...parts, ...contextOf(parts, producer), files, settings: config, journal };
  const consumers = openConsumers(context, queue, onError);
  lifecycle.add('jobs', async () => {
    clearInterval(scheduling);
    await Promise.all(consumers.map((consumer) => consumer.close(budget.workMs)));
  });
  await Promise.all(consumers.map(({ ready }) => ready)).catch(unusable('REDIS_URL'));
}

type Scheduling = {
  readonly redis: Redis;
  readonly queue: Pick<JobQueue, 'schedule'>;
  readonly onError: (error: Error) => void;
  readonly everyMs: number;
};

/**
 * Redis may come back empty after a reconnect, and FLUSHALL or a failover may empty it without one.
 * If Redis already has the schedules, this changes nothing.
 */
function keepScheduled({ redis, queue, onError, everyMs }: Scheduling): NodeJS.Timeout {
  const tell = () => void queue.schedule().catch(onError);
  redis.on('ready', tell);
  return setInterval(tell, everyMs);
}

type RedisContext = Pick<JobContext, 'liveSessions' | 'auditWatch' | 'webhooks'> & {
  approvals: ApprovalDesk;
  producer: JobProducer;
};

function contextOf(
  { database, redis, logger, registry }: WorkerParts,
  producer: JobProducer,
): RedisContext {
  backlogMetrics(
    registry,
    () => database.asSystem(approvalBacklog),
    (err) => logger.warn({ err }, 'counting approvals failed'),
  );
  const approvals = openApprovalDesk({ database, redis, producer, registry, logger });
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

type Context = WorkerParts &
  RedisContext &
  Pick<JobContext, 'files' | 'settings'> & { readonly journal: RecordJournal };

function openConsumers(context: Context, queue: JobQueue, onError: (error: Error) => void) {
  const { redisOptions: redis, logger, registry, approvals } = context;
  const runner = { ...context, queue, metrics: workerMetrics(registry) };
  const process = ({ name }: { name: string }) => runJob(runner, name);
  return [
    // A long job does not delay the others.
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
        ...advanceOptions(context),
        places: questions,
        maxOpen: context.settings.QUOTA_QUESTIONS,
        logger,
      }),
      onError,
    }),
  ];
}

function advanceOptions(context: Context): AdvanceOptions {
  const { registry } = context;
  const report = reportTo(context.logger);
  const runtime = createAgentRuntime({ ...context, metrics: toolMetrics(registry), report });
  return { ...context, runtime, report, metrics: questionMetrics(registry) };
}

function reportTo(logger: Logger): Report {
  return (event, details) => logger.warn({ ...details, event }, 'question');
}
