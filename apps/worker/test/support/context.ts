import { randomBytes } from 'node:crypto';
import { createSecretBox } from '@parley/database';
import { createEgress } from '@parley/egress';
import { createLogger, requireConfig } from '@parley/service-kit';
import type { JobContext, WorkerSettings } from '#src/job.js';
import type { TestRecord } from './record.js';

export const settings: WorkerSettings = {
  ...requireConfig('standalone', {}).config,
  CONVERSATION_RETENTION_DAYS: 30,
  PROVIDER_TEXT_MODEL: 'any',
  DRAIN_TIMEOUT_SECONDS: 10,
};

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
