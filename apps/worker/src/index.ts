export { jobsMarkdown } from './jobs.js';
export { open } from './open.js';
