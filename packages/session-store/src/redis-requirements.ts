import type { Redis } from './topology.js';

const oldest = [6, 2] as const;

/** Rejects when the server lacks a command that scripts use. */
export async function checkVersion(redis: Redis): Promise<void> {
  const version = /^redis_version:((\d+)\.(\d+)\S*)/m.exec(await redis.info('server'));
  if (version === null) return;
  const [major, minor] = [Number(version[2]), Number(version[3])];
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    throw new Error(`Redis ${version[1]} is too old; ${oldest.join('.')} or later is needed`);
}

/** What may make the server lose tokens and jobs. A provider that hides its configuration is trusted. */
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
    warnings.push('appendonly is no: a Redis that restarts forgets tokens and jobs; set yes');
  return warnings;
}

async function configured(redis: Redis, name: string): Promise<string | undefined> {
  const reply = await redis.config('GET', name).catch(() => []);
  return (reply as string[])[1];
}
