import type { Response } from 'express';

/** Fires when the caller has disconnected, perhaps long ago, or has its answer. */
export function closed(response: Response): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}
