import { deleteForgottenKeys } from '@parley/database';
import { batchOf } from '../batches.js';
import { batchSize, type JobContext, type JobResult } from '../job.js';

export async function purgeIdempotencyKeys({
  database,
}: Pick<JobContext, 'database'>): Promise<JobResult> {
  return batchOf(await database.asSystem((system) => deleteForgottenKeys(system, batchSize)));
}
