import { forgetWords, stalePassingConversations } from '@parley/database';
import { eachOf } from '../batches.js';
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
  return eachOf(stale, ({ id, organizationId }) =>
    database.inOrganization(organizationId, (scope) => forgetWords(scope, id)),
  );
}
