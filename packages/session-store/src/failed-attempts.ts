import { createRateLimit } from './rate-limits.js';
import type { Redis } from './topology.js';

/**
 * Counts failed attempts by address, across all pods. While Redis is unavailable, nothing is
 * counted and nobody is refused.
 */
export type FailedAttempts = {
  /**
   * For how many seconds an address is refused; undefined if it is not. Held in memory, so checking
   * is free.
   */
  refusedFor(address: string): number | undefined;
  /** After too many failures, an address is refused until its minute is over. */
  failed(address: string): Promise<void>;
};

/** How many refused addresses are remembered; beyond that, the oldest may fail once more. */
const maxRefused = 10_000;

export function createFailedAttempts(
  redis: Redis,
  options: { name: string; perMinute: number; now?: () => number },
): FailedAttempts {
  const { now = () => performance.now() } = options;
  const limit = createRateLimit(redis, options);
  const refusedUntil = new Map<string, number>();
  return {
    refusedFor(address) {
      const until = refusedUntil.get(address);
      if (until === undefined) return undefined;
      const seconds = Math.ceil((until - now()) / 1000);
      if (seconds > 0) return seconds;
      refusedUntil.delete(address);
      return undefined;
    },
    async failed(address) {
      const verdict = await limit.consume(address);
      if (verdict.kind === 'unknown') return;
      if (verdict.kind === 'allowed' && verdict.remaining > 0) return;
      const seconds = verdict.kind === 'allowed' ? verdict.resetSeconds : verdict.retryAfterSeconds;
      refusedUntil.delete(address);
      refusedUntil.set(address, now() + seconds * 1000);
      const [oldest] = refusedUntil.keys();
      if (refusedUntil.size > maxRefused && oldest !== undefined) refusedUntil.delete(oldest);
    },
  };
}
