import type { Response } from 'express';
import { Problem } from '@parley/protocol';
import { rateWindowSeconds, type RateLimit } from '@parley/session-store';
import { redisUnavailable } from './unavailable.js';

export type Throttle = {
  limit: RateLimit;
  /** The policy's name in the headers. */
  name: string;
  /** Refuse when nobody can count, because what follows needs Redis anyway. */
  required: boolean;
};

/** Counts the request and tells the caller what is left, in the headers of draft-ietf-httpapi-ratelimit-headers. */
export async function throttle(
  response: Response,
  callerId: string,
  { limit, name, required }: Throttle,
): Promise<void> {
  const verdict = await limit.consume(callerId);
  if (verdict.kind === 'unknown') {
    if (required) throw redisUnavailable();
    return;
  }
  const remaining = verdict.kind === 'allowed' ? verdict.remaining : 0;
  const reset = verdict.kind === 'allowed' ? verdict.resetSeconds : verdict.retryAfterSeconds;
  response.setHeader('RateLimit-Policy', `"${name}";q=${verdict.limit};w=${rateWindowSeconds}`);
  response.setHeader('RateLimit', `"${name}";r=${remaining};t=${reset}`);
  if (verdict.kind === 'limited')
    throw new Problem(
      'rate-limited',
      `At most ${verdict.limit} of these requests are allowed per minute. Wait ${reset} s.`,
      { headers: { 'Retry-After': String(reset) } },
    );
}
