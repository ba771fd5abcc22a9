import { deleteStaleConversations, organizationsWithStaleConversations } from '@parley/database';
import type { JobContext, JobResult } from '../job.js';
import { purgeBatches } from './purge-batches.js';

export async function purgeConversations(context: JobContext): Promise<JobResult> {
  const days = context.settings.CONVERSATION_RETENTION_DAYS;
  if (days === 0) return { rows: 0, more: false };
  const organizations = await context.database.asSystem((system) =>
    organizationsWithStaleConversations(system, days),
  );
  return purgeBatches(context, {
    organizations,
    remove: (scope, limit) => deleteStaleConversations(scope, { days, limit }),
    resourceType: 'conversation',
    because: { retentionDays: days },
  });
}
