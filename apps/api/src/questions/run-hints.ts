import { randomUUID } from 'node:crypto';
import { podChannel, readHint, subscribe, type RedisOptions } from '@parley/session-store';

/**
 * Tells this process that a run may have been answered elsewhere. A hint may be lost, so waiting
 * callers also check now and then.
 */
export type RunHints = {
  /** The id under which this process receives hints. */
  readonly podId: string;
  /** Resolves when there may be news of a run, or the signal fires. */
  news(runId: string, signal: AbortSignal): Promise<void>;
  close(): void;
};

const lookMs = 3000;

export async function openRunHints(redis: RedisOptions): Promise<RunHints> {
  const podId = randomUUID();
  const waiting = new Map<string, Set<() => void>>();
  const wake = (listeners: Iterable<() => void> = []) => {
    for (const listener of [...listeners]) listener();
  };
  const subscriber = await subscribe({
    ...redis,
    channel: podChannel(podId),
    onMessage(message) {
      const hint = readHint(message);
      if (hint?.kind === 'run') wake(waiting.get(hint.id));
    },
    onGap: () => wake([...waiting.values()].flatMap((listeners) => [...listeners])),
  });
  return {
    podId,
    news: (runId, signal) =>
      new Promise((resolve) => {
        const listeners = waiting.get(runId) ?? new Set();
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          listeners.delete(done);
          if (listeners.size === 0) waiting.delete(runId);
          resolve();
        };
        const timer = setTimeout(done, signal.aborted ? 0 : lookMs);
        signal.addEventListener('abort', done, { once: true });
        waiting.set(runId, listeners.add(done));
      }),
    close: () => subscriber.close(),
  };
}
