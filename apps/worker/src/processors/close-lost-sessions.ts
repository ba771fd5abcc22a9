import {
  cancelSessionCalls,
  closeLostSessions,
  endLostSession,
  endUnclaimedSessions,
  sessionsWithOpenCalls,
  type Database,
} from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/** Time for the gateway to connect to the provider and to record the end. */
const marginSeconds = 300;
/** Time for the gateway to record how its calls ended. */
const graceSeconds = 30;

/**
 * Closes sessions whose pod fell silent, sessions that nobody closed in time, those that nobody came
 * back to continue, and calls that ended sessions left open.
 */
export async function closeSessionsOfLostPods(context: JobContext): Promise<JobResult> {
  const { database, settings } = context;
  const silent = await closeSilent(context);
  const maxSeconds = settings.REALTIME_MAX_SESSION_SECONDS;
  const overaged = await database.asSystem((system) =>
    closeLostSessions(system, { maxSeconds, marginSeconds, limit: batchSize }),
  );
  const unclaimed = await database.asSystem((system) =>
    endUnclaimedSessions(system, {
      graceSeconds: settings.REALTIME_RESUME_GRACE_SECONDS,
      limit: batchSize,
    }),
  );
  const finished = await finishCalls(database);
  const batches = [silent, overaged, unclaimed, finished];
  return {
    rows: batches.reduce((sum, count) => sum + count),
    more: batches.includes(batchSize),
  };
}

async function closeSilent({ database, liveSessions, logger }: JobContext): Promise<number> {
  const lost = await liveSessions.lost(batchSize);
  for (const session of lost) {
    await database.inOrganization(session.organizationId, (scope) =>
      endLostSession(scope, session.id),
    );
    await liveSessions.giveUp(session);
    const { id, organizationId, agentId, conversationId, pod } = session;
    logger.warn(
      { session: id, organizationId, agentId, conversationId, pod },
      'closed session of a lost pod',
    );
  }
  return lost.length;
}

async function finishCalls(database: Database): Promise<number> {
  const sessions = await database.asSystem((system) =>
    sessionsWithOpenCalls(system, { graceSeconds, limit: batchSize }),
  );
  for (const { organizationId, id } of sessions)
    await database.inOrganization(organizationId, (scope) => cancelSessionCalls(scope, id));
  return sessions.length;
}
