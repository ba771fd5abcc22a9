export type { WorkerSettings } from './job.js';
export { jobsMarkdown } from './jobs.js';
export { startWorker, type RunningWorker, type WorkerOptions } from './worker.js';
