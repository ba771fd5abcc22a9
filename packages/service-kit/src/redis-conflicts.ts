import { splitUrls } from './setting-value.js';

type RedisValues = {
  readonly REDIS_URL?: string;
  readonly REDIS_MODE?: 'single' | 'sentinel' | 'cluster';
  readonly REDIS_SENTINEL_MASTER?: string;
};

/**
 * Conflicts between Redis settings that are each valid. Invalid ones are already reported, and
 * absent here.
 */
export function redisConflicts(values: RedisValues): string[] {
  const { REDIS_URL: raw, REDIS_MODE: mode, REDIS_SENTINEL_MASTER: master } = values;
  const problems: string[] = [];
  if (mode === 'sentinel' && master === undefined)
    problems.push(
      'REDIS_SENTINEL_MASTER is missing; REDIS_MODE=sentinel needs the name of the master',
    );
  if (mode !== undefined && mode !== 'sentinel' && master !== undefined)
    problems.push(
      `REDIS_SENTINEL_MASTER does nothing with REDIS_MODE=${mode}; remove it, or set REDIS_MODE=sentinel`,
    );
  if (raw === undefined) return problems;
  const urls = splitUrls(raw).map((url) => new URL(url));
  if (mode === 'single' && urls.length > 1)
    problems.push(
      'REDIS_URL names several servers, but REDIS_MODE=single takes one; set REDIS_MODE=sentinel or REDIS_MODE=cluster',
    );
  if (mode === 'cluster' && urls.some(({ pathname }) => !['', '/', '/0'].includes(pathname)))
    problems.push('REDIS_URL names a database, but a cluster has database 0 alone');
  if (new Set(urls.map(shared)).size > 1)
    problems.push(
      'REDIS_URL has items that differ in scheme, user, password or database; they must be the same in all',
    );
  return problems;
}

/** The part of a URL that must be the same for all servers. */
function shared({ protocol, username, password, pathname }: URL): string {
  return JSON.stringify([protocol, username, password, pathname]);
}
