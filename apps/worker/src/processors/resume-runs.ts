import { dueRuns } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/**
 * Resumes questions whose approval was decided but whose job was lost, and those whose process
 * died.
 */
export async function resumeRuns({
  database,
  producer,
}: Pick<JobContext, 'database' | 'producer'>): Promise<JobResult> {
  const due = await database.asSystem((system) => dueRuns(system, batchSize));
  for (const id of due) await producer.enqueueRun(id);
  // Never reports more: what was just queued is still due.
  return { rows: due.length, more: false };
}
