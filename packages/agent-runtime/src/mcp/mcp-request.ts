/**
 * Makes a request with a signal of its own that fires with the caller's until the request has
 * settled. The SDK never removes its listener, and would later tell the server to cancel a request
 * that it answered long ago.
 */
export async function requestWithin<T>(
  signal: AbortSignal,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await request(own.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
