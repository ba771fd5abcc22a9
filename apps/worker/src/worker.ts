import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'bullmq';
import type { Logger, Metrics } from '@parley/service-kit';
import { connectRedis, createJobsClient, type RedisOptions } from '@parley/session-store';
import type { JobContext } from './job.js';
import { jobNames } from './jobs.js';
import { workerMetrics } from './metrics.js';
import { openQueue, queueAt } from './queue.js';
import { runJob, type JobRunner } from './run-job.js';

export type WorkerOptions = JobContext & {
  readonly redis: RedisOptions;
  readonly logger: Logger;
  readonly registry: Metrics['registry'];
};

export type RunningWorker = {
  /** Takes no more jobs, and waits for those that run as long as the drain lasts. What is cut off then, another worker repeats. */
  close(): Promise<void>;
};

/** Rejects when Redis cannot be reached. Once started, it outlives Redis: it goes on when Redis is back, with or without its data. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { logger, registry, settings } = options;
  const onError = (err: Error) => logger.warn({ err }, 'job queue trouble');
  const redis = await connectRedis({ ...options.redis, name: 'parley-worker' });
  const queue = openQueue(redis, onError);
  const hangUp = async () => {
    await queue.close();
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
  const consumer = consume({ ...options, queue, metrics: workerMetrics(registry) }, onError);
  return {
    async close() {
      await consumer.close(settings.DRAIN_TIMEOUT_SECONDS * 1000);
      await hangUp();
    },
  };
}

type Consumer = { close(timeoutMs: number): Promise<void> };

function consume(
  runner: JobRunner & Pick<WorkerOptions, 'redis'>,
  onError: (error: Error) => void,
): Consumer {
  let closing = false;
  const connection = createJobsClient({ ...runner.redis, name: 'parley-worker' }, () => !closing);
  const worker = new Worker(queueAt.name, ({ name }) => runJob(runner, name), {
    prefix: queueAt.prefix,
    connection,
    // A long job keeps none of the others waiting.
    concurrency: jobNames.length,
    // The job of a worker that died goes to another one after some seconds; by default it is a minute.
    lockDuration: 5000,
    stalledInterval: 5000,
    // How long it rests after it lost Redis; by default it is a quarter of a minute.
    runRetryDelay: 1000,
  });
  worker.on('error', onError);
  return {
    async close(timeoutMs) {
      closing = true;
      const closed = connectionsSettled(worker).then(() => worker.close());
      await Promise.race([closed, delay(timeoutMs, undefined, { ref: false })]);
      // Without effect on what has closed; waits for ever on what has not.
      void worker.disconnect().catch(onError);
      connection.disconnect();
    },
  };
}

/** BullMQ's close never ends for a connection that is just being made again, so this one is awaited first, or given up by its retryStrategy. */
async function connectionsSettled(worker: Worker): Promise<void> {
  const { client, blockingClient } = worker.getBackend();
  for (const connection of await Promise.all([client, blockingClient]))
    if (connection && !['ready', 'end'].includes(connection.status))
      await new Promise<void>((resolve) => {
        connection.once('ready', () => resolve()).once('end', () => resolve());
      });
}
