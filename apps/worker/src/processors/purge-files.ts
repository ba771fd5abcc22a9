import { expiredFiles } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/** Workers may come upon the same files: removing what another one has removed changes nothing. */
export async function purgeFiles({ database, files }: JobContext): Promise<JobResult> {
  const expired = await database.asSystem((system) => expiredFiles(system, batchSize));
  if (expired.length === 0) return { rows: 0, more: false };
  return { rows: await files.discard(expired), more: expired.length === batchSize };
}
