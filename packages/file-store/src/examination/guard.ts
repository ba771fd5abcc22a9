import { workerData } from 'node:worker_threads';

/** What an examining process may use. */
export type GuardLimits = { readonly timeoutMs: number; readonly maxResidentBytes: number };

const everyMs = 20;
const { timeoutMs, maxResidentBytes } = workerData as GuardLimits;

/**
 * Ends its process when that has grown too large or taken too long. The limits of V8 do not count what a decompressor allocates, and the
 * thread that decompresses does nothing else meanwhile: only another thread can watch it, whether or not the parent still lives.
 */
const end = () => process.kill(process.pid, 'SIGKILL');
setTimeout(end, timeoutMs);
setInterval(() => {
  if (process.memoryUsage.rss() > maxResidentBytes) end();
}, everyMs);
