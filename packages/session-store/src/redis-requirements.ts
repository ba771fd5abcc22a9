import type { Redis } from './topology.js';

/** GETDEL requires 6.2. */
const oldest = [6, 2] as const;

/** What is wrong with a server's version, according to INFO. */
export function versionProblem(info: string): string | undefined {
  const version = /^redis_version:((\d+)\.(\d+)\S*)/m.exec(info);
  if (version === null) return undefined;
  const [major, minor] = [Number(version[2]), Number(version[3])];
  const enough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  return enough ? undefined : `Redis ${version[1]} is too old; 6.2 or later is needed`;
}

/**
 * Settings that may make the server lose tokens and jobs. A provider that hides its configuration
 * is trusted.
 */
export async function durabilityWarnings(redis: Redis): Promise<string[]> {
  const [policy, appendOnly] = await Promise.all(
    ['maxmemory-policy', 'appendonly'].map((name) => configured(redis, name)),
  );
  const warnings: string[] = [];
  if (policy !== undefined && policy !== 'noeviction')
    warnings.push(
      `maxmemory-policy is ${policy}: a full Redis drops tokens and jobs; set noeviction`,
    );
  if (appendOnly === 'no')
    warnings.push('appendonly is no, so a restarted Redis loses tokens and jobs; set it to yes');
  return warnings;
}

async function configured(redis: Redis, name: string): Promise<string | undefined> {
  const reply = await redis.config('GET', name).catch(() => []);
  return (reply as string[])[1];
}
