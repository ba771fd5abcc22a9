import { deleteOldDeliveries } from '@parley/database';
import { batchOf } from '../batches.js';
import { batchSize, type JobContext, type JobResult } from '../job.js';

export const keptDays = 30;

export async function purgeWebhookDeliveries({
  database,
}: Pick<JobContext, 'database'>): Promise<JobResult> {
  const deleted = await database.asSystem((system) =>
    deleteOldDeliveries(system, { days: keptDays, limit: batchSize }),
  );
  return batchOf(deleted);
}
