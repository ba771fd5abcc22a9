import {
  deleteStaleConversations,
  isStatementTimeout,
  organizationsWithStaleConversations,
  type Database,
  type OrganizationScope,
} from '@parley/database';
import { allOf } from '../batches.js';
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
  return allOf(organizations.map((id) => () => purge(database, { id, days })));
}

/** How many batches of one organization a run tries. */
const attempts = 10;

/** One batch, or several smaller ones if PostgreSQL cancels that because it takes too long. */
async function purge(
  database: Database,
  { id, days }: { id: string; days: number },
): Promise<JobResult> {
  let [rows, limit] = [0, batchSize];
  for (let left = attempts; left > 0 && rows < batchSize; left -= 1) {
    try {
      const count = await database.inOrganization(id, (scope) =>
        purgeBatch(scope, { days, limit }),
      );
      rows += count;
      if (count < limit) return { rows, more: false };
    } catch (error) {
      if (!isStatementTimeout(error) || limit === 1) throw error;
      limit = Math.max(1, Math.floor(limit / 4));
    }
  }
  return { rows, more: true };
}

async function purgeBatch(
  scope: OrganizationScope,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const count = await deleteStaleConversations(scope, { days, limit });
  if (count > 0) await recordPurge(scope, 'conversation', { count, retentionDays: days });
  return count;
}
