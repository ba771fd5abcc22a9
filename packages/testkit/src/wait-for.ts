import { setTimeout as delay } from 'node:timers/promises';

export type WaitOptions = {
  /** Completes "Waited … for ". */
  what: string;
  timeoutMs?: number;
  /** What there is instead, when the time is up. */
  otherwise?: () => string;
};

/** What lasts is asked about less and less often: most of a run waits, and asking takes CPU. */
const PAUSE = { firstMs: 20, growth: 1.3, longestMs: 100 };

/** Polls a condition that has no event, and returns its first truthy result. */
export async function waitFor<T>(
  predicate: () => T | Promise<T>,
  { what, timeoutMs = 30_000, otherwise }: WaitOptions,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  let pauseMs = PAUSE.firstMs;
  for (;;) {
    const answer = await predicate();
    if (answer) return answer;
    if (Date.now() >= deadline)
      throw new Error(
        [`Waited ${timeoutMs} ms for ${what}`, ...(otherwise ? [otherwise()] : [])].join('\n'),
      );
    await delay(pauseMs);
    pauseMs = Math.min(PAUSE.longestMs, pauseMs * PAUSE.growth);
  }
}
