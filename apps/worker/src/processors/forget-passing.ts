import { forgetWords, stalePassingConversations } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/** Time for the caller to send the results of its own tools. */
export const rememberedSeconds = 3600;

/**
 * Deletes what questions without a conversation left behind: those whose caller did not return, and
 * those whose process died.
 */
export async function forgetPassing({
  database,
}: Pick<JobContext, 'database'>): Promise<JobResult> {
  const stale = await database.asSystem((system) =>
    stalePassingConversations(system, { seconds: rememberedSeconds, limit: batchSize }),
  );
  for (const { id, organizationId } of stale)
    await database.inOrganization(organizationId, (scope) => forgetWords(scope, id));
  return { rows: stale.length, more: stale.length === batchSize };
}
