import { dueRuns } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/** Questions whose approval was decided and whose job was lost, and those whose process died over them. */
export async function resumeRuns({
  database,
  producer,
}: Pick<JobContext, 'database' | 'producer'>): Promise<JobResult> {
  const due = await database.asSystem((system) => dueRuns(system, batchSize));
  for (const id of due) await producer.resumeRun(id);
  // Not more at once: what was just queued is still due.
  return { rows: due.length, more: false };
}
