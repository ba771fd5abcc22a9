import { deleteForgottenKeys } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

export async function purgeIdempotencyKeys({
  database,
}: Pick<JobContext, 'database'>): Promise<JobResult> {
  const rows = await database.asSystem((system) => deleteForgottenKeys(system, batchSize));
  return { rows, more: rows === batchSize };
}
