import { UnrecoverableError } from 'bullmq';
import { noTracing, type Tracing } from '@parley/service-kit';
import type { JobContext } from './job.js';
import { isJobName, jobs } from './jobs.js';
import type { WorkerMetrics } from './metrics.js';
import type { JobQueue } from './queue.js';

export type JobRunner = JobContext & {
  readonly queue: Pick<JobQueue, 'runNow'>;
  readonly metrics: WorkerMetrics;
  readonly tracing?: Tracing;
};

/** One run of one job. A failed run is not retried: the next tick finds the same work. */
export async function runJob(runner: JobRunner, name: string): Promise<void> {
  const { queue, logger, metrics } = runner;
  if (!isJobName(name)) throw new UnrecoverableError(`There is no job ${name}.`);
  const span = (runner.tracing ?? noTracing).start(`job ${name}`);
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  try {
    const { rows, more, failure } = await jobs[name].run(runner);
    if (more)
      await queue
        .runNow(name)
        .catch((err: unknown) =>
          logger.warn({ err, job: name }, 'requeueing job failed; the next run will continue'),
        );
    if (failure !== undefined) throw failure;
    span.end({ facts: { rows } });
    metrics.done(name, { seconds: seconds(), rows });
    logger[rows > 0 ? 'info' : 'debug']({ job: name, rows, more }, 'job done');
  } catch (err) {
    span.end({ failed: true });
    metrics.failed(name, { seconds: seconds() });
    logger.error({ err, job: name }, 'job failed');
    throw err;
  }
}
