import { deleteExpiredFiles } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

export async function purgeFiles({ database }: JobContext): Promise<JobResult> {
  const rows = await database.asSystem((system) => deleteExpiredFiles(system, batchSize));
  return { rows, more: rows === batchSize };
}
