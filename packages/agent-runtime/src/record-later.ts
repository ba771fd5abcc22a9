import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@parley/database';

/** Five minutes in all: what is still not told then ends with its session. */
const pausesMs = [1000, 2000, 5000, 10_000, 30_000, 60_000, 60_000, 60_000, 72_000];

/** Tells the record what it has missed, once it is back. Whoever leaves before that leaves it to the sweep over what ended sessions left open. */
export async function recordLater(tell: () => Promise<unknown>): Promise<void> {
  for (const pause of pausesMs) {
    await delay(pause, undefined, { ref: false });
    try {
      await tell();
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) return;
    }
  }
}
