import { createConsoleSessions, createRateLimit, type Redis } from '@parley/session-store';
import type { ConsolePorts } from './console-router.js';

/** Enough for somebody who mistypes, and no way to try a dictionary. */
const passwordsPerMinute = 10;

/** What of people who sign in is kept in Redis, for all instances. */
export function openConsole(redis: Redis): Pick<ConsolePorts, 'sessions' | 'signIns'> {
  return {
    sessions: createConsoleSessions(redis),
    signIns: createRateLimit(redis, { name: 'sign-ins', perMinute: passwordsPerMinute }),
  };
}
