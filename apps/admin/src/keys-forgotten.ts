import { setTimeout } from 'node:timers/promises';
import { keyRememberedMs } from '@parley/protocol';

/**
 * Waits until no process relies on what it knew of an API key before: the command line has no Redis
 * to tell them about a change.
 */
export function keysForgotten(): Promise<void> {
  return setTimeout(keyRememberedMs);
}
