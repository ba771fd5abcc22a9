import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

/** What a script needs of a client; a single server, Sentinel and Cluster have it alike. */
export type ScriptRunner = Pick<Redis, 'eval' | 'evalsha'>;

export type LuaScript = (
  redis: ScriptRunner,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>;

/** A script from this package's lua folder. It is sent by its hash, and whole only to a server that does not know it. */
export function loadScript(name: string): LuaScript {
  const source = readFileSync(new URL(`../lua/${name}.lua`, import.meta.url), 'utf8');
  const hash = createHash('sha1').update(source).digest('hex');
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(hash, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(source, keys.length, ...keys, ...args);
    }
  };
}
