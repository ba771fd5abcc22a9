import { Counter, Histogram, type Registry } from 'prom-client';
import { jobNames, type JobName } from './jobs.js';

export type WorkerMetrics = {
  done(job: JobName, run: { seconds: number; rows: number }): void;
  failed(job: JobName, run: { seconds: number }): void;
};

export function workerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  const runs = new Counter({
    name: 'parley_job_runs_total',
    help: 'Runs of background jobs, by job and outcome.',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'parley_job_duration_seconds',
    help: 'Duration of background job runs, including failed ones.',
    labelNames: ['job'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
    registers,
  });
  const rows = new Counter({
    name: 'parley_job_rows_total',
    help: 'Rows that background jobs deleted or closed.',
    labelNames: ['job'],
    registers,
  });
  // A series that starts with its first failure would hide that failure from rate().
  for (const job of jobNames) {
    rows.inc({ job }, 0);
    for (const outcome of ['done', 'failed']) runs.inc({ job, outcome }, 0);
  }
  return {
    done(job, run) {
      runs.inc({ job, outcome: 'done' });
      duration.observe({ job }, run.seconds);
      rows.inc({ job }, run.rows);
    },
    failed(job, { seconds }) {
      runs.inc({ job, outcome: 'failed' });
      duration.observe({ job }, seconds);
    },
  };
}
