import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

/** What a script needs of a client; a single server, Sentinel and Cluster all provide it. */
export type ScriptRunner = Pick<Redis, 'defineCommand'>;

type LuaScript = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/**
 * A script from this package's lua folder as a command of the client: sent in full once per
 * connection, then by its hash.
 */
export function defineScript(redis: ScriptRunner, name: string): LuaScript {
  const lua = readFileSync(new URL(`../lua/${name}.lua`, import.meta.url), 'utf8');
  redis.defineCommand(name, { lua });
  const run = Reflect.get(redis, name) as (...words: (string | number)[]) => Promise<unknown>;
  return (keys, args) => run.call(redis, keys.length, ...keys, ...args);
}
