import { randomBytes } from 'node:crypto';
import { createSecretBox } from '@parley/database';
import { createEgress } from '@parley/egress';
import { createLogger, requireConfig, type ConfigOf, type Metrics } from '@parley/service-kit';
import { connectRedis, type RedisOptions } from '@parley/session-store';
import { testHost } from '@parley/testkit';
import type { JobContext } from '#src/job.js';
import { open } from '#src/open.js';
import type { TestRecord } from './record.js';

export const settings: ConfigOf<'worker'> = {
  ...requireConfig('worker', {
    DATABASE_URL: 'postgres://unused',
    REDIS_URL: 'redis://unused',
    SECRETS_KEY: randomBytes(32).toString('base64'),
  }).config,
  CONVERSATION_RETENTION_DAYS: 30,
  PROVIDER_TEXT_MODEL: 'any',
  DRAIN_TIMEOUT_SECONDS: 10,
};

export type RunningWorker = { registry: Metrics['registry']; close(): Promise<void> };

/** A worker as a process has it. */
export async function startWorker(
  { database }: Pick<TestRecord, 'database'>,
  redisOptions: RedisOptions,
  changes: { settings?: Partial<typeof settings>; rescheduleMs?: number } = {},
): Promise<RunningWorker> {
  const host = testHost('test', { ...settings, ...changes.settings });
  const redis = await connectRedis(redisOptions);
  host.lifecycle.add('redis', () => redis.disconnect());
  const egress = createEgress([]);
  host.lifecycle.add('egress', () => egress.close());
  const secretBox = createSecretBox(settings.SECRETS_KEY);
  const { rescheduleMs } = changes;
  await open({
    ...{ ...host, database, redis, redisOptions, egress, secretBox },
    defaultConnection: undefined,
    ...(rescheduleMs !== undefined && { rescheduleMs }),
  }).catch(async (error: unknown) => {
    await host.stop();
    throw error;
  });
  return { registry: host.registry, close: () => host.stop() };
}

/** What a job runs with, beside what it has in Redis. */
export type StoredContext = Omit<
  JobContext,
  'approvals' | 'producer' | 'liveSessions' | 'auditWatch'
>;

export function jobContext(
  { database, files }: Pick<TestRecord, 'database' | 'files'>,
  changes: Partial<StoredContext> = {},
): StoredContext {
  return {
    database,
    files,
    secretBox: createSecretBox(randomBytes(32).toString('base64')),
    egress: createEgress([]),
    settings,
    logger: createLogger({ app: 'test', level: 'silent' }),
    webhooks: { sent: () => undefined },
    ...changes,
  };
}
