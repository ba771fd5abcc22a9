import { workerData } from 'node:worker_threads';

const everyMs = 20;

/**
 * Ends its process when that has grown too large. The limits of V8 do not count what a decompressor allocates, and the thread that
 * decompresses does nothing else meanwhile: only another thread can watch it.
 */
setInterval(() => {
  if (process.memoryUsage.rss() > (workerData as number)) process.kill(process.pid, 'SIGKILL');
}, everyMs);
