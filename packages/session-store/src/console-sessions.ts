import { createHash, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { consoleSessionKey } from './keys.js';
import { defineScript, type ScriptRunner } from './lua-script.js';

/**
 * Who is signed in to the console. Whether they still have access is checked in PostgreSQL with
 * each request.
 */
export type ConsoleSession = {
  readonly userId: string;
  /** The one membership that a sign-in link opens; null for all of the account's. */
  readonly memberId: string | null;
  /** The account's epoch when it signed in. */
  readonly epoch: number;
};

export type ConsoleSessions = {
  /** Returns the cookie's value, which is new each time and stored nowhere. */
  open(session: ConsoleSession): Promise<string>;
  /** Undefined if there is none, or it has expired. */
  use(token: string): Promise<ConsoleSession | undefined>;
  /** The same, but its idle timeout goes on. */
  look(token: string): Promise<ConsoleSession | undefined>;
  end(token: string): Promise<void>;
};

const hour = 3_600_000;

export const consoleSessionLimits = { idleMs: 12 * hour, longestMs: 7 * 24 * hour } as const;

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** Whether a cookie's value can be a session at all: 256 bits in base64url. */
export function isConsoleToken(text: string): boolean {
  return tokenPattern.test(text);
}

export function createConsoleSessions(
  redis: ScriptRunner & Pick<Redis, 'del' | 'hget'>,
  { idleMs, longestMs }: { idleMs: number; longestMs: number } = consoleSessionLimits,
): ConsoleSessions {
  const openSession = defineScript(redis, 'open-console-session');
  const useSession = defineScript(redis, 'use-console-session');
  return {
    async open(session) {
      const token = randomBytes(32).toString('base64url');
      await openSession([keyOf(token)], [JSON.stringify(session), idleMs, longestMs]);
      return token;
    },
    async use(token) {
      return sessionIn((await useSession([keyOf(token)], [idleMs])) as string | null);
    },
    async look(token) {
      return sessionIn(await redis.hget(keyOf(token), 'session'));
    },
    async end(token) {
      await redis.del(keyOf(token));
    },
  };
}

function sessionIn(text: string | null): ConsoleSession | undefined {
  return text === null ? undefined : (JSON.parse(text) as ConsoleSession);
}

/**
 * Redis only knows this hash of a session, so that neither a dump nor a log of it signs anybody in.
 */
function keyOf(token: string): string {
  return consoleSessionKey(createHash('sha256').update(token).digest('hex'));
}
