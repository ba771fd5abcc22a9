/** The time that a whole exchange may take is over. */
export class EgressTimeout extends Error {
  override readonly name = 'EgressTimeout';
}

/** Work whose signal fires with the caller's, or after a time. Timer and listener end with it. */
export async function withDeadline<T>(
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = setTimeout(
    () => controller.abort(new EgressTimeout(`No complete answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    controller.signal.throwIfAborted();
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** The start of a body, as it is after decompression: a small bomb that unpacks to gigabytes is read no further. */
export async function boundedBody(
  response: Response,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop cancels the body, and with it the connection.
    if (size > maxBytes) break;
  }
  const body = Buffer.concat(chunks);
  return { body: body.subarray(0, maxBytes), truncated: size > maxBytes };
}
