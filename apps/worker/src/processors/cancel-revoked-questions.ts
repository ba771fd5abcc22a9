import { cancelRun, runsOfUnusableOpeners } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/** A process that works on one of them finds its lease gone within seconds, and stops. */
export async function cancelRevokedQuestions({
  database,
}: Pick<JobContext, 'database'>): Promise<JobResult> {
  const runs = await database.asSystem((system) => runsOfUnusableOpeners(system, batchSize));
  for (const { organizationId, id } of runs)
    await database.inOrganization(organizationId, (scope) => cancelRun(scope, id));
  return { rows: runs.length, more: runs.length === batchSize };
}
