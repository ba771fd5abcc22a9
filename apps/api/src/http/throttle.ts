import type { Response } from 'express';
import { Problem } from '@parley/protocol';
import { rateWindowSeconds, type RateLimit } from '@parley/session-store';

/** Counts the request and tells the caller what is left, in the headers of draft-ietf-httpapi-ratelimit-headers. */
export async function throttle(response: Response, limit: RateLimit, keyId: string): Promise<void> {
  const verdict = await limit.consume(keyId);
  // Without Redis nobody can count: requests that do not need it themselves go on.
  if (verdict.kind === 'unknown') return;
  const remaining = verdict.kind === 'allowed' ? verdict.remaining : 0;
  const reset = verdict.kind === 'allowed' ? verdict.resetSeconds : verdict.retryAfterSeconds;
  response.setHeader('RateLimit-Policy', `"key";q=${verdict.limit};w=${rateWindowSeconds}`);
  response.setHeader('RateLimit', `"key";r=${remaining};t=${reset}`);
  if (verdict.kind === 'limited')
    throw new Problem(
      'rate-limited',
      `The key may send ${verdict.limit} requests per minute. Wait ${reset} s.`,
      {
        headers: { 'Retry-After': String(reset) },
      },
    );
}
