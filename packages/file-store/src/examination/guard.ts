import { workerData } from 'node:worker_threads';

/** The resource limits of an examining process. */
export type GuardLimits = { readonly timeoutMs: number; readonly maxResidentBytes: number };

const everyMs = 20;
const { timeoutMs, maxResidentBytes } = workerData as GuardLimits;

/**
 * Kills its process if it grows too large or takes too long. V8's limits do not cover memory that a
 * decompressor allocates, and the decompressing thread is busy meanwhile: only another thread can
 * watch it, whether or not the parent is still alive.
 */
const end = () => process.kill(process.pid, 'SIGKILL');
setTimeout(end, timeoutMs);
setInterval(() => {
  if (process.memoryUsage.rss() > maxResidentBytes) end();
}, everyMs);
