import {
  appendAudit,
  deleteStaleConversations,
  organizationsWithStaleConversations,
  type OrganizationScope,
} from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/** One batch of each organization: its deletion and the audit record of it stand or fall together. */
export async function purgeConversations({ database, settings }: JobContext): Promise<JobResult> {
  const days = settings.CONVERSATION_RETENTION_DAYS;
  if (days === 0) return { rows: 0, more: false };
  const organizations = await database.asSystem((system) =>
    organizationsWithStaleConversations(system, days),
  );
  const counts: number[] = [];
  for (const id of organizations)
    counts.push(await database.inOrganization(id, (scope) => purgeBatch(scope, days)));
  return {
    rows: counts.reduce((sum, count) => sum + count, 0),
    more: counts.some((count) => count === batchSize),
  };
}

async function purgeBatch(scope: OrganizationScope, days: number): Promise<number> {
  const count = await deleteStaleConversations(scope, { days, limit: batchSize });
  if (count > 0)
    await appendAudit(scope, {
      actor: { kind: 'system', name: 'retention' },
      action: 'conversation.purged',
      resourceType: 'conversation',
      resourceId: null,
      after: { count, retentionDays: days },
    });
  return count;
}
