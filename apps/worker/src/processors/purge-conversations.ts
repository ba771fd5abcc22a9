import {
  deleteStaleConversations,
  organizationsWithStaleConversations,
  type OrganizationScope,
} from '@parley/database';
import { allOf, batchOf } from '../batches.js';
import { batchSize, type JobContext, type JobResult } from '../job.js';
import { recordPurge } from './record-purge.js';

/** One batch of each organization. */
export async function purgeConversations({
  database,
  settings,
}: Pick<JobContext, 'database' | 'settings'>): Promise<JobResult> {
  const days = settings.CONVERSATION_RETENTION_DAYS;
  if (days === 0) return { rows: 0, more: false };
  const organizations = await database.asSystem((system) =>
    organizationsWithStaleConversations(system, days),
  );
  return allOf(
    organizations.map((id) => async () => {
      const count = await database.inOrganization(id, (scope) => purgeBatch(scope, days));
      return batchOf(count);
    }),
  );
}

async function purgeBatch(scope: OrganizationScope, days: number): Promise<number> {
  const count = await deleteStaleConversations(scope, { days, limit: batchSize });
  if (count > 0) await recordPurge(scope, 'conversation', { count, retentionDays: days });
  return count;
}
