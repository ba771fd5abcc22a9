import { hashSessionToken } from '@parley/session-store';
import type { Logger } from '@parley/service-kit';
import type { Objection, Return } from '../core/continuity.js';
import type { RelaySession } from '../relay/relay-session.js';
import type { ResumableSessions } from './resumable-sessions.js';
import { sameId } from '../admission/admit.js';
import { refuseSession, unavailable, type Refusal } from '../admission/refusal.js';
import type { ResumeRequest } from '../admission/upgrade-request.js';

/** A session that a client may continue. */
export type Resuming = {
  readonly kind: 'resuming';
  readonly session: RelaySession;
  readonly client: Return;
};

type Ports = {
  readonly resumables: Pick<ResumableSessions, 'find'>;
  readonly logger: Logger;
};

/** Finds a session of this pod. */
export function findResumable(
  { token, received, agentId, conversationId }: ResumeRequest,
  { resumables, logger }: Ports,
): Resuming | Refusal {
  const hash = hashSessionToken(token).toString('hex');
  const found = resumables.find(hash);
  if (!found) return unknownToken();
  const { agentId: ownAgent, conversationId: ownConversation } = found;
  if (!sameId(ownAgent, agentId) || !sameId(ownConversation, conversationId)) {
    const ids = { agentId: ownAgent, conversationId: ownConversation };
    const mismatch = { security: 'token-mismatch', ...ids };
    logger.warn(mismatch, 'resume token presented for another agent or conversation');
    return unknownToken();
  }
  const session = found.session();
  const client = { hash, received };
  const objection = session.objectionTo(client);
  return objection ? refusals[objection]() : { kind: 'resuming', session, client };
}

export function unknownToken(): Refusal {
  return refuseSession('RealtimeSessionInvalid', 'No session can be resumed with this token.');
}

const refusals = {
  unknown: unknownToken,
  opening: () => unavailable('owner-unreachable'),
  spent: () =>
    refuseSession(
      'RealtimeSessionAlreadyUsed',
      'The resume path was already used. Each connection gets a new one.',
    ),
  'received too many': () =>
    refuseSession('RealtimeSessionInvalid', 'received is more than the client was sent.'),
  'received too few': () =>
    refuseSession(
      'RealtimeSessionInvalid',
      'received is less than the client has already acknowledged.',
    ),
} as const satisfies Record<Objection, () => Refusal>;
