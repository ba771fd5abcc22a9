export type { WorkerSettings } from './job.js';
export { jobsMarkdown } from './jobs.js';
export { open, type WorkerParts } from './open.js';
