import { randomBytes, randomUUID } from 'node:crypto';
import { hashSessionToken, type LiveSessions, type ResumableId } from '@parley/session-store';
import type { AdmissionPorts, Admitted } from '../admission/admit.js';
import { quotaReached, refuseSession, unavailable, type Refusal } from '../admission/refusal.js';
import type { ResumeRequest } from '../admission/upgrade-request.js';
import type { SessionRecords } from '../ports.js';
import { unknownToken } from './find-resumable.js';

type Ports = Omit<AdmissionPorts, 'tokens' | 'records' | 'live'> & {
  readonly records: Pick<SessionRecords, 'restore'>;
  readonly live: Pick<LiveSessions, 'enter' | 'giveUp'>;
};

/**
 * Continues a session whose pod is gone, or has handed it over, from the record: as a new session
 * of the same conversation, with the same ticket. PostgreSQL lets only one pod do so, and the former
 * one, if it is alive after all, write and claim nothing from then on.
 */
export async function restoreSession(
  { agentId, conversationId }: ResumeRequest,
  former: ResumableId,
  ports: Ports,
): Promise<Admitted | Refusal> {
  const { records, live: sessions, tools, pod, address, logger } = ports;
  const sessionId = randomUUID();
  const { organizationId } = former;
  try {
    const tokenHash = hashSessionToken(randomBytes(32).toString('base64url'));
    const ids = { sessionId, organizationId, agentId, conversationId, pod };
    const admitted = await records.restore({ ...ids, former: former.id, tokenHash });
    if (admitted.outcome === 'refused')
      return admitted.errorCode === 'RealtimeSessionInvalid'
        ? unknownToken()
        : refuseSession(admitted.errorCode);
    if (admitted.outcome === 'quota') return quotaReached(admitted.quota);
    const place = { agentId, conversationId, pod, address, startedAt: new Date().toISOString() };
    await sessions.giveUp({ ...place, ...former });
    const live = { ...place, organizationId, id: sessionId };
    if (!(await sessions.enter(live, admitted.maxSessions)))
      return quotaReached('realtimeSessions');
    const { ticket, loaded: agent } = admitted;
    const { clientTools } = ticket;
    const opened = tools.open({ sessionId, organizationId, conversationId, agent, clientTools });
    return { ...admitted, kind: 'admitted', sessionId, live, tools: opened };
  } catch (err) {
    logger.error({ err, session: former.id }, 'restoring session failed');
    return unavailable('store-unavailable');
  }
}
