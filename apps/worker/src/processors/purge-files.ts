import { expiredFiles, fileStorages, type FileStorage } from '@parley/database';
import { allOf } from '../batches.js';
import { batchSize, type JobContext, type JobResult } from '../job.js';
import { recordPurge } from './record-purge.js';

type Purger = Pick<JobContext, 'database' | 'files'>;

/** One batch of each storage. Workers may pick the same files: removing a file twice is harmless. */
export function purgeFiles(purger: Purger): Promise<JobResult> {
  return allOf(fileStorages.map((storage) => () => purgeBatch(purger, storage)));
}

async function purgeBatch({ database, files }: Purger, storage: FileStorage): Promise<JobResult> {
  const expired = await database.asSystem((system) =>
    expiredFiles(system, { storage, limit: batchSize }),
  );
  if (expired.length === 0) return { rows: 0, more: false };
  const swept = await files.sweep(expired, (scope, count) =>
    recordPurge(scope, 'temporaryFile', { count }),
  );
  // Files that nobody can delete are no reason to hurry.
  return { ...swept, more: expired.length === batchSize && swept.rows > 0 };
}
