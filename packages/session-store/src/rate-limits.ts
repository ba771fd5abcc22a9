import { changedCallerKey, rateLimitKey } from './keys.js';
import { defineScript, type ScriptRunner } from './lua-script.js';

/** Requests per minute and key, counted in Redis, so that all pods share one budget. */
export type RateVerdict =
  | Allowed
  | { kind: 'limited'; limit: number; retryAfterSeconds: number }
  | { kind: 'unknown' };

type Allowed = {
  kind: 'allowed';
  limit: number;
  remaining: number;
  resetSeconds: number;
  /** Whether the caller has changed a short while ago, see `createChangedKeys`. */
  callerChanged: boolean;
};

type Allowance = { readonly name: string; readonly perMinute: number };

export type RateLimit = Allowance & {
  consume(callerId: string): Promise<RateVerdict>;
  /**
   * Consumes from both in one call. A request that this limit refuses is not charged to the next,
   * which then returns no verdict.
   */
  consumeWith(next: Allowance, callerId: string): Promise<readonly RateVerdict[]>;
};

export const rateWindowSeconds = 60;

export function createRateLimit(redis: ScriptRunner, own: Allowance): RateLimit {
  const consumeLimits = defineScript(redis, 'consume-limits');
  const consume = async <Verdict>(
    limits: readonly Allowance[],
    callerId: string,
    pick: (all: readonly RateVerdict[]) => Verdict,
  ): Promise<Verdict> => {
    const counts = limits.map(({ name }) => rateLimitKey(name, callerId));
    const keys = [changedCallerKey(callerId), ...counts];
    const args = [rateWindowSeconds * 1000, ...limits.map(({ perMinute }) => perMinute)];
    try {
      return pick(verdicts(limits, (await consumeLimits(keys, args)) as number[]));
    } catch {
      // Redis did not respond; the caller decides what to do.
      return pick(limits.map(() => unknown));
    }
  };
  const alone = [own];
  return {
    ...own,
    consume: (callerId) => consume(alone, callerId, ([verdict = unknown]) => verdict),
    consumeWith: (next, callerId) => consume([own, next], callerId, (all) => all),
  };
}

const unknown: RateVerdict = { kind: 'unknown' };

function verdicts(
  limits: readonly Allowance[],
  [changed, ...reply]: readonly number[],
): RateVerdict[] {
  const callerChanged = changed === 1;
  return limits.flatMap(({ perMinute: limit }, n): RateVerdict[] => {
    const [used, left] = [reply[2 * n], reply[2 * n + 1]];
    if (used === undefined || left === undefined) return [];
    const seconds = Math.max(1, Math.ceil(left / 1000));
    return used > limit
      ? [{ kind: 'limited', limit, retryAfterSeconds: seconds }]
      : [{ kind: 'allowed', limit, remaining: limit - used, resetSeconds: seconds, callerChanged }];
  });
}
