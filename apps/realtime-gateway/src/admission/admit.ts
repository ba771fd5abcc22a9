import { randomUUID } from 'node:crypto';
import type { PastItem, ProblemCode, QuotaName, RealtimeErrorCode } from '@parley/protocol';
import type { Logger, QuotaMetrics } from '@parley/service-kit';
import {
  hashSessionToken,
  type LiveSession,
  type LiveSessions,
  type SessionTicket,
  type SessionTokens,
  type TokenOutcome,
} from '@parley/session-store';
import type { FallbackConnection } from '@parley/agent-runtime';
import type { ProviderConnection } from '@parley/providers';
import type { AdmittedAgent, Inheritance, SessionRecords, SessionTools, Tools } from '../ports.js';
import { endUnopened } from '../records/end-unopened.js';
import { quotaReached, refuseSession, unavailable, type Refusal } from './refusal.js';
import type { SessionRequest } from './upgrade-request.js';

export type AdmissionPorts = {
  readonly tokens: Pick<SessionTokens, 'consume'>;
  readonly records: Pick<SessionRecords, 'admit' | 'recorder'>;
  readonly live: Pick<LiveSessions, 'enter' | 'count' | 'forget'>;
  /** The name of this process, by which others reach it. */
  readonly pod: string;
  /** host:port at which other pods reach this one. */
  readonly address?: string | undefined;
  readonly quotaMetrics: QuotaMetrics<QuotaName>;
  readonly tools: Pick<Tools, 'open'>;
  readonly logger: Logger;
};

export type Admitted = {
  readonly kind: 'admitted';
  readonly sessionId: string;
  readonly ticket: SessionTicket;
  readonly agent: AdmittedAgent;
  /** The caller closes them if it does not open the session. */
  readonly tools: SessionTools;
  readonly connection: ProviderConnection | null;
  readonly connectionId: string | null;
  readonly fallbacks: readonly FallbackConnection[];
  readonly history: readonly PastItem[];
  readonly lastPosition: number;
  /** Whether this is an OpenAI client that connected through the OpenAI-compatible path. */
  readonly atDoor?: boolean;
  /** What it has of another pod's session, if it continues one. */
  readonly inherited?: Inheritance & {
    /** The path by which the client came, by the hash of its token. */
    readonly former: string;
  };
  /** The entry in the registry of live sessions. */
  readonly live: LiveSession;
};

const tokenRefusals = {
  consumed: 'RealtimeSessionAlreadyUsed',
  expired: 'RealtimeSessionExpired',
  unknown: 'RealtimeSessionInvalid',
} as const satisfies Record<Exclude<TokenOutcome['outcome'], 'redeemed'>, RealtimeErrorCode>;

const keyRefusals = [
  'key-invalid',
  'key-expired',
  'organization-forbidden',
] as const satisfies ProblemCode[];

/** Whether the client presented an invalid token or key. */
export function isTokenRefusal({ reason }: Refusal): boolean {
  return [...Object.values<string>(tokenRefusals), ...keyRefusals].includes(reason);
}

/**
 * Redeems the token in Redis and registers the session there, then fences it in PostgreSQL. The
 * first step spends the token, whatever happens next: a refused client creates a new session. An
 * unavailable store never counts against the client.
 */
export async function admit(
  request: SessionRequest,
  ports: AdmissionPorts,
): Promise<Admitted | Refusal> {
  const { tokens, pod, address, logger } = ports;
  const sessionId = randomUUID();
  const failed = (err: unknown): Refusal => {
    logger.error({ err, session: sessionId }, 'admission failed');
    return unavailable('store-unavailable');
  };
  try {
    const tokenHash = hashSessionToken(request.token);
    const place = { pod, address, startedAt: new Date().toISOString() };
    const redeemed = await tokens.consume(tokenHash, sessionId, place);
    if (redeemed.outcome !== 'redeemed') return refuseSession(tokenRefusals[redeemed.outcome]);
    const { ticket, registered } = redeemed;
    const { organizationId, agentId, conversationId } = ticket;
    const live = { id: sessionId, organizationId, agentId, conversationId, ...place };
    const attempt = { request, tokenHash, ticket, live, registered };
    const verdict = await admitRedeemed(attempt, ports).catch(failed);
    if (verdict.kind === 'refused' && registered !== undefined) await ports.live.forget(live);
    return verdict;
  } catch (err) {
    return failed(err);
  }
}

type Attempt = {
  readonly request: SessionRequest;
  readonly tokenHash: Buffer;
  readonly ticket: SessionTicket;
  readonly live: LiveSession;
  readonly registered: number | undefined;
};

async function admitRedeemed(
  { request, tokenHash, ticket, live, registered }: Attempt,
  ports: AdmissionPorts,
): Promise<Admitted | Refusal> {
  const { records, tools, logger } = ports;
  const { id: sessionId } = live;
  const { organizationId, agentId, conversationId, fileIds, clientTools } = ticket;
  const { keyId, memberId = null } = ticket;
  if (!sameId(agentId, request.agentId) || !sameId(conversationId, request.conversationId)) {
    logger.warn(
      { security: 'token-mismatch', session: sessionId, organizationId, agentId, conversationId },
      'token presented for another agent or conversation',
    );
    return refuseSession('RealtimeSessionInvalid');
  }
  const ids = { organizationId, agentId, conversationId };
  const kept = ticket.resumable ? { ticket } : {};
  const record = { sessionId, tokenHash, ...ids, keyId, memberId, fileIds, ...kept };
  // The record may have the session although its reply was lost.
  const endIfRecorded = (err: unknown): never => {
    endUnopened(records.recorder(record), 'InternalError');
    throw err;
  };
  const admitted = await records.admit(record).catch(endIfRecorded);
  if (admitted.outcome === 'refused') return refuseSession(admitted.errorCode);
  if (admitted.outcome === 'quota') return overQuota(admitted.quota, ports);
  const most = admitted.maxSessions;
  const isWithinQuota = await hasRoom(live, { registered, most }, ports.live).catch(endIfRecorded);
  if (!isWithinQuota) {
    endUnopened(records.recorder(record), 'QuotaReached');
    return overQuota('realtimeSessions', ports);
  }
  const { loaded: agent } = admitted;
  // Lists the tools while the gateway dials the provider.
  const session = {
    sessionId,
    organizationId,
    conversationId,
    isResumable: ticket.resumable === true,
  };
  const opened = tools.open({ ...session, agent, clientTools });
  return { ...admitted, kind: 'admitted', sessionId, ticket, live, tools: opened };
}

/** Only if many are registered does it matter whose pods are gone. */
async function hasRoom(
  session: LiveSession,
  { registered, most }: { registered: number | undefined; most: number },
  live: AdmissionPorts['live'],
): Promise<boolean> {
  if (registered === undefined) return live.enter(session, most);
  return registered <= most || (await live.count(session.organizationId, most)) <= most;
}

function overQuota(quota: QuotaName, { quotaMetrics }: AdmissionPorts): Refusal {
  quotaMetrics.refused(quota);
  return quotaReached(quota);
}

export function sameId(issued: string, presented: string | undefined): boolean {
  return presented === undefined || issued.toLowerCase() === presented.toLowerCase();
}
