import {
  cancelSessionCalls,
  closeLostSessions,
  endLostSession,
  endUnclaimedSessions,
  sessionsWithOpenCalls,
} from '@parley/database';
import { allOf, batchOf, eachOf } from '../batches.js';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/** Time for the gateway to connect to the provider and to record the end. */
const marginSeconds = 300;
/** Time for the gateway to record how its calls ended. */
const graceSeconds = 30;

/**
 * Closes sessions whose pod fell silent, sessions that nobody closed in time, those that nobody came
 * back to continue, and calls that ended sessions left open.
 */
export function closeSessionsOfLostPods(context: JobContext): Promise<JobResult> {
  return allOf(
    [closeSilent, closeOveraged, endUnclaimed, finishCalls].map((step) => () => step(context)),
  );
}

async function closeSilent({ database, liveSessions, logger }: JobContext): Promise<JobResult> {
  return eachOf(await liveSessions.lost(batchSize), async (session) => {
    await database.inOrganization(session.organizationId, (scope) =>
      endLostSession(scope, session.id),
    );
    await liveSessions.giveUp(session);
    const { id, organizationId, agentId, conversationId, pod } = session;
    logger.warn(
      { session: id, organizationId, agentId, conversationId, pod },
      'closed session of a lost pod',
    );
  });
}

async function closeOveraged({ database, settings }: JobContext): Promise<JobResult> {
  const maxSeconds = settings.REALTIME_MAX_SESSION_SECONDS;
  const closed = await database.asSystem((system) =>
    closeLostSessions(system, { maxSeconds, marginSeconds, limit: batchSize }),
  );
  return batchOf(closed);
}

async function endUnclaimed({ database, settings }: JobContext): Promise<JobResult> {
  const resumeSeconds = settings.REALTIME_RESUME_GRACE_SECONDS;
  const ended = await database.asSystem((system) =>
    endUnclaimedSessions(system, { graceSeconds: resumeSeconds, limit: batchSize }),
  );
  return batchOf(ended);
}

async function finishCalls({ database }: JobContext): Promise<JobResult> {
  const sessions = await database.asSystem((system) =>
    sessionsWithOpenCalls(system, { graceSeconds, limit: batchSize }),
  );
  return eachOf(sessions, ({ organizationId, id }) =>
    database.inOrganization(organizationId, (scope) => cancelSessionCalls(scope, id)),
  );
}
