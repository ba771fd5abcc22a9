import type { Response } from 'express';
import { Problem } from '@parley/protocol';
import { rateWindowSeconds, type RateLimit, type RateVerdict } from '@parley/session-store';
import type { RateLimits } from '../metrics.js';
import { redisUnavailable } from './unavailable.js';

export type Throttle = {
  limit: RateLimit;
  /** Refuse if the requests cannot be counted, because the operation needs Redis anyway. */
  required: boolean;
};

export function throttlesFor(
  { requests, sessions }: RateLimits,
  isSession: boolean,
): readonly [Throttle, Throttle?] {
  const each = { limit: requests, required: false };
  return isSession ? [each, { limit: sessions, required: true }] : [each];
}

/**
 * Counts the request, also against a second limit if there is one, and tells the caller what is
 * left. False if Redis does not vouch for what is remembered of the caller.
 */
export async function throttle(
  response: Response,
  callerId: string,
  [first, second]: readonly [Throttle, Throttle?],
): Promise<boolean> {
  if (!second) return admit(response, first, await first.limit.consume(callerId));
  const [one, other] = await first.limit.consumeWith(second.limit, callerId);
  const isUnchanged = admit(response, first, one);
  admit(response, second, other);
  return isUnchanged;
}

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers. */
function admit(
  response: Response,
  { limit: { name }, required }: Throttle,
  verdict: RateVerdict = { kind: 'unknown' },
): boolean {
  if (verdict.kind === 'unknown') {
    if (required) throw redisUnavailable();
    return false;
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
  return !verdict.callerChanged;
}
