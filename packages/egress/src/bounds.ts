import { errors } from 'undici';

/** The exchange did not finish in time. */
export class EgressTimeout extends Error {
  override readonly name = 'EgressTimeout';
}

/**
 * Runs work with a signal that fires with the caller's, or after a timeout. Removes the timer and
 * the listener afterwards.
 */
export async function withDeadline<T>(
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = setTimeout(
    () => controller.abort(new EgressTimeout(`No complete response within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    controller.signal.throwIfAborted();
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    throw isTransportTimeout(error)
      ? new EgressTimeout(transportTimedOut, { cause: error })
      : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

const transportTimedOut = 'The connection timed out before the response was complete.';

/**
 * Whether the request was sent and its response did not come in time. Unlike after a failure to
 * connect, the server may have acted on it.
 */
function isTransportTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return true;
  return isTransportTimeout(error.cause);
}

/** The beginning of a decompressed body: a decompression bomb is not read any further. */
export async function boundedBody(
  response: Response,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop cancels the body and closes the connection.
    if (size > maxBytes) break;
  }
  const body = Buffer.concat(chunks);
  return { body: body.subarray(0, maxBytes), truncated: size > maxBytes };
}
