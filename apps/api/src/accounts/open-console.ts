import { createConsoleSessions, createRateLimit, type Redis } from '@parley/session-store';
import type { ConsolePorts } from './console-routes.js';

/** Enough for typos, but too few to try a dictionary. */
const passwordsPerMinute = 10;

/** The sign-in state in Redis, shared by all instances. */
export function openConsole(redis: Redis): Pick<ConsolePorts, 'sessions' | 'signIns'> {
  return {
    sessions: createConsoleSessions(redis),
    signIns: createRateLimit(redis, { name: 'sign-ins', perMinute: passwordsPerMinute }),
  };
}
