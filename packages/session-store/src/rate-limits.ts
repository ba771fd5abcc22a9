import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimitPrefix } from './keys.js';
import type { Redis } from './topology.js';

/** Requests per minute and key, counted in Redis, so that all pods share one budget. */
export type RateVerdict =
  | { kind: 'allowed'; limit: number; remaining: number; resetSeconds: number }
  | { kind: 'limited'; limit: number; retryAfterSeconds: number }
  | { kind: 'unknown' };

export type RateLimit = { consume(keyId: string): Promise<RateVerdict> };

export const rateWindowSeconds = 60;

export function createRateLimit(
  redis: Redis,
  options: { name: string; perMinute: number },
): RateLimit {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: rateLimitPrefix(options.name),
    points: options.perMinute,
    duration: rateWindowSeconds,
  });
  const limit = options.perMinute;
  return {
    async consume(keyId) {
      try {
        const result = await limiter.consume(keyId);
        return {
          kind: 'allowed',
          limit,
          remaining: result.remainingPoints,
          resetSeconds: seconds(result),
        };
      } catch (refusal) {
        // Anything but a verdict means that Redis did not answer; what follows from that is the caller's to decide.
        if (!(refusal instanceof RateLimiterRes)) return { kind: 'unknown' };
        return { kind: 'limited', limit, retryAfterSeconds: seconds(refusal) };
      }
    },
  };
}

function seconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
