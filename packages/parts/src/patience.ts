import { setTimeout as delay } from 'node:timers/promises';
import { unusableSetting } from '@parley/service-kit';

type Store = {
  readonly setting: string;
  /** Whether an error may go away by itself. */
  readonly isAway: (error: unknown) => boolean;
};

type PatienceOptions = {
  /** For all stores together. */
  readonly waitMs: number;
  readonly logger: { warn(fields: object, message: string): void };
  readonly betweenTriesMs?: number;
};

/**
 * Lets a process start before its stores do: tries again while a store is away, and logs the first
 * failure. A store that stays away, or whose setting is wrong, is a reason not to start.
 */
export function patience({ waitMs, logger, betweenTriesMs = 1000 }: PatienceOptions) {
  const deadline = performance.now() + waitMs;
  return async <T>({ setting, isAway }: Store, attempt: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++)
      try {
        return await attempt();
      } catch (error) {
        const reason = unusableSetting(setting, error);
        if (!isAway(error) || performance.now() + betweenTriesMs > deadline) throw reason;
        if (tries === 1) logger.warn({ reason: reason.message }, 'waiting for a store');
        await delay(betweenTriesMs);
      }
  };
}
