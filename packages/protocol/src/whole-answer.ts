import { RealtimeError, type Problem } from './errors.js';

/** A refusal as an HTTP answer, for whoever writes one by hand. */
export function wholeAnswer(error: Problem | RealtimeError) {
  const domain = error instanceof RealtimeError;
  const body = JSON.stringify(error.body());
  return {
    status: domain ? 400 : error.status,
    headers: {
      ...(domain ? {} : error.headers),
      'Content-Type': domain ? 'application/json' : 'application/problem+json',
      'Content-Length': new TextEncoder().encode(body).length,
      'Cache-Control': 'no-store',
      Connection: 'close',
    },
    body,
  };
}
