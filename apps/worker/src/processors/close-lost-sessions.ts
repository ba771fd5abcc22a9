import { closeLostSessions } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/** For the gateway to connect the provider and to record the end. */
const marginSeconds = 300;

export async function closeSessionsOfLostPods({
  database,
  settings,
}: JobContext): Promise<JobResult> {
  const maxSeconds = settings.REALTIME_MAX_SESSION_SECONDS;
  const rows = await database.asSystem((system) =>
    closeLostSessions(system, { maxSeconds, marginSeconds, limit: batchSize }),
  );
  return { rows, more: rows === batchSize };
}
