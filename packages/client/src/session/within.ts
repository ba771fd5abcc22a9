/** A longer timer would fire at once. */
const longestMs = 2 ** 31 - 1;

/**
 * Runs work with a signal that fires after a while, or with the given one until the work is over.
 * Node 20 never frees a signal of `AbortSignal.any` that has a listener.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const stop = () => own.abort(signal?.reason);
  const timer = setTimeout(stop, Math.min(ms, longestMs));
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
