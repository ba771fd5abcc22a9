import { cancelRun, runsOfUnusableOpeners } from '@parley/database';
import { eachOf } from '../batches.js';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/** A process that works on one of them finds its lease gone within seconds, and stops. */
export async function cancelRevokedQuestions({
  database,
}: Pick<JobContext, 'database'>): Promise<JobResult> {
  const runs = await database.asSystem((system) => runsOfUnusableOpeners(system, batchSize));
  return eachOf(runs, ({ organizationId, id }) =>
    database.inOrganization(organizationId, (scope) => cancelRun(scope, id)),
  );
}
