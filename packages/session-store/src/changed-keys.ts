import { setTimeout } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { keyRememberedMs } from '@parley/protocol';
import { changedCallerKey } from './keys.js';

export type ChangedKeys = {
  /**
   * Tells every process that counts requests that an API key has changed. When it returns, none
   * relies on what it knew of the key before: without Redis, it waits until all have forgotten.
   */
  note(keyId: string): Promise<void>;
};

/** Outlasts whatever was looked up before the change. */
const notedMs = 5 * keyRememberedMs;

export function createChangedKeys(redis: Pick<Redis, 'set'>): ChangedKeys {
  return {
    async note(keyId) {
      try {
        await redis.set(changedCallerKey(keyId), '1', 'PX', notedMs);
      } catch {
        await setTimeout(keyRememberedMs);
      }
    },
  };
}
