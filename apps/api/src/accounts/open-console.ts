import { createConsoleSessions, createRateLimit, type Redis } from '@parley/session-store';
import type { ConsolePorts } from './console-routes.js';
import { PasswordDesk } from './password-desk.js';

/** Enough for typos, but too few to try a dictionary. */
const passwordsPerMinute = 10;

export type Console = Pick<ConsolePorts, 'sessions' | 'signIns' | 'passwords'>;

/** The sign-in state: in Redis what all instances share. */
export function openConsole(redis: Redis): Console {
  return {
    passwords: new PasswordDesk(),
    sessions: createConsoleSessions(redis),
    signIns: createRateLimit(redis, { name: 'sign-ins', perMinute: passwordsPerMinute }),
  };
}
