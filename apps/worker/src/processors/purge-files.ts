import { expiredFiles } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';
import { recordPurge } from './record-purge.js';

/** Workers may pick the same files: removing a file twice is harmless. */
export async function purgeFiles({
  database,
  files,
}: Pick<JobContext, 'database' | 'files'>): Promise<JobResult> {
  const expired = await database.asSystem((system) => expiredFiles(system, batchSize));
  if (expired.length === 0) return { rows: 0, more: false };
  const rows = await files.discard(expired, (scope, count) =>
    recordPurge(scope, 'temporaryFile', { count }),
  );
  return { rows, more: expired.length === batchSize };
}
