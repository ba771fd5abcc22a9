import { deleteExpiredFiles, organizationsWithExpiredFiles } from '@parley/database';
import type { JobContext, JobResult } from '../job.js';
import { purgeBatches } from './purge-batches.js';

export async function purgeFiles(context: JobContext): Promise<JobResult> {
  const organizations = await context.database.asSystem(organizationsWithExpiredFiles);
  return purgeBatches(context, {
    organizations,
    remove: deleteExpiredFiles,
    resourceType: 'temporaryFile',
    because: {},
  });
}
