import { randomBytes, randomUUID } from 'node:crypto';
import type { Outcome } from '@parley/database';
import { handedOverEnd, isUuid } from '@parley/protocol';
import { hashSessionToken, type LiveSessions, type ResumableId } from '@parley/session-store';
import type { AdmissionPorts, Admitted } from '../admission/admit.js';
import { quotaReached, refuseSession, unavailable, type Refusal } from '../admission/refusal.js';
import type { ResumeRequest } from '../admission/upgrade-request.js';
import type { SessionRecorder, SessionRecords } from '../ports.js';
import { endUnopened } from '../records/end-unopened.js';
import { unknownToken } from './find-resumable.js';

type Ports = Omit<AdmissionPorts, 'tokens' | 'records' | 'live'> & {
  readonly records: Pick<SessionRecords, 'restore' | 'recorder'>;
  readonly live: Pick<LiveSessions, 'enter' | 'forget' | 'giveUp'>;
};

/** Another session continues it already. */
export type Moved = { readonly kind: 'moved'; readonly to: string };

/**
 * Continues a session whose pod is gone, or has handed it over, from the record: as a new session
 * of the same conversation, with the same ticket. PostgreSQL lets only one pod do so, and the former
 * one, if it is alive after all, write and claim nothing from then on.
 */
export async function restoreSession(
  { agentId, conversationId, token }: ResumeRequest,
  former: ResumableId,
  ports: Ports,
): Promise<Admitted | Moved | Refusal> {
  if (!isUuid(agentId) || !isUuid(conversationId)) return unknownToken();
  const { records, live: sessions, tools, pod, address, logger } = ports;
  const sessionId = randomUUID();
  const { organizationId } = former;
  const own = { id: sessionId, organizationId };
  try {
    const tokenHash = hashSessionToken(randomBytes(32).toString('base64url'));
    const asked = { sessionId, organizationId, agentId, conversationId, pod };
    const admitted = await records.restore({ ...asked, former: former.id, tokenHash });
    if (admitted.outcome === 'moved') return { kind: 'moved', to: admitted.to };
    if (admitted.outcome === 'refused')
      return admitted.errorCode === 'RealtimeSessionInvalid'
        ? unknownToken()
        : refuseSession(admitted.errorCode);
    if (admitted.outcome === 'quota') return quotaReached(admitted.quota);
    const { ticket, loaded: agent } = admitted;
    // The client may have written the ids in capitals.
    const ids = { agentId: ticket.agentId, conversationId: ticket.conversationId };
    const live = { ...own, ...ids, pod, address, startedAt: new Date().toISOString() };
    const session = { sessionId, organizationId, conversationId: ids.conversationId };
    await sessions.giveUp(former);
    if (!(await sessions.enter(live, admitted.maxSessions))) {
      leaveToOthers(records.recorder(session));
      return quotaReached('realtimeSessions');
    }
    const { clientTools } = ticket;
    const opened = tools.open({ ...session, isResumable: true, agent, clientTools });
    const inherited = { ...admitted.inherited, former: hashSessionToken(token).toString('hex') };
    return { ...admitted, kind: 'admitted', inherited, sessionId, live, tools: opened };
  } catch (err) {
    logger.error({ err, session: former.id }, 'restoring session failed');
    // It may have been recorded and registered all the same: then this pod would seem to have it.
    leaveToOthers(records.recorder({ sessionId, organizationId, conversationId }));
    sessions.forget(own).catch((error: unknown) => {
      logger.warn({ err: error, session: sessionId }, 'removing live session failed');
    });
    return unavailable('store-unavailable');
  }
}

/** A session that was restored, and is not opened: the client may try again, here or elsewhere. */
export function leaveToOthers(
  recorder: Pick<SessionRecorder, 'end'>,
  onSettled?: (outcome: Outcome) => void,
): void {
  endUnopened(recorder, handedOverEnd, onSettled);
}
