import type { ApprovalDesk, Verdict } from '@parley/approvals';
import {
  approvalsByIds,
  decideToolCall,
  findApprovals,
  isResumableSession,
  listApprovals,
  type ApprovalRecord,
  type Database,
  type DecidedCall,
  type OrganizationScope,
} from '@parley/database';
import { Problem, type Approval } from '@parley/protocol';
import type { Logger } from '@parley/service-kit';
import type { LiveSessions } from '@parley/session-store';
import type { Call, Caller, Handlers } from '../http/call.js';
import { notFound } from '../http/found.js';
import { longPage } from '../http/long-page.js';
import { pageOf } from '../http/query.js';

export type ApprovalPorts = {
  database: Database;
  approvals: Pick<ApprovalDesk, 'conclude' | 'expireDue'>;
  liveSessions: Pick<LiveSessions, 'isSilent'>;
  logger: Logger;
};

type ApprovalHandlers = Pick<Handlers, 'listApprovals' | 'approveCall' | 'rejectCall'>;

export function approvalOperations(ports: ApprovalPorts): ApprovalHandlers {
  const { database } = ports;
  const decideAs =
    (verdict: Verdict) =>
    ({ caller, params, commit }: Call<'approveCall' | 'rejectCall'>) =>
      decideApproval({ ...ports, caller, commit }, params.callId, verdict);
  return {
    listApprovals: {
      run: async ({ caller, query }) => {
        const { State: approval, AgentId: agentId, ConversationId: conversationId } = query;
        const page = pageOf(query);
        const listed = await database.inSnapshot(caller.organizationId, (scope) =>
          listApprovals(scope, { approval, agentId, conversationId }, page),
        );
        return longPage(
          { database, caller },
          { ...listed, ...page, idOf: ({ id }) => id, read: approvalsByIds, view: approvalView },
        );
      },
    },
    approveCall: { run: decideAs('approved') },
    rejectCall: { run: decideAs('rejected') },
  };
}

type Work = ApprovalPorts & { caller: Caller; commit: Call<'approveCall'>['commit'] };

async function decideApproval(work: Work, idOrCallId: string, verdict: Verdict): Promise<Approval> {
  const { approvals, caller } = work;
  const { organizationId } = caller;
  const waiting = await work.database.inOrganization(organizationId, (scope) =>
    find(scope, idOrCallId),
  );
  if (waiting.approval !== 'waiting') throw decided(waiting);
  if (!waiting.approvers.includes('api')) throw clientOnly();
  if (verdict === 'approved' && (await isAbandoned(work, waiting))) throw silent();
  const { answer, decision } = await decide(work, waiting.id, verdict);
  approvals.conclude(decision);
  logDecision(work, waiting, verdict);
  return answer;
}

/** The decision and the answer that tells it are committed together. */
async function decide(
  { approvals, caller, commit }: Work,
  id: string,
  verdict: Verdict,
): Promise<{ answer: Approval; decision: DecidedCall }> {
  let decision: DecidedCall | undefined;
  try {
    const answer = await commit(async (scope) => {
      decision = await decideToolCall(scope, id, { approval: verdict, by: caller.actor });
      const now = await find(scope, id);
      if (decision?.approval !== verdict) throw decided(now);
      return approvalView(now);
    });
    if (!decision) throw new TypeError('The answer is that of no decision.');
    return { answer, decision };
  } catch (error) {
    // The expiry was rolled back together with the response, so expire it now.
    if (decision?.approval === 'expired') await approvals.expireDue();
    throw error;
  }
}

function logDecision(
  { caller, logger }: Work,
  { id, ...call }: ApprovalRecord,
  decision: Verdict,
): void {
  const { organizationId, openedBy } = caller;
  const { sessionId: session, agentId, conversationId } = call;
  logger.info(
    {
      approval: id,
      decision,
      session,
      organizationId,
      agentId,
      conversationId,
      ...openedBy,
    },
    'approval decided',
  );
}

async function find(scope: OrganizationScope, idOrCallId: string): Promise<ApprovalRecord> {
  const [approval, another] = await findApprovals(scope, idOrCallId);
  if (!approval) throw notFound();
  if (another)
    throw new Problem(
      'approval-ambiguous',
      'Several calls are waiting with this call id. Decide each one by the approval’s own id.',
    );
  return approval;
}

/**
 * Whether nobody would run the call. Only Redis knows; if it does not answer, the decision goes
 * ahead.
 */
async function isAbandoned(
  { database, liveSessions, caller, logger }: Work,
  { sessionId }: ApprovalRecord,
): Promise<boolean> {
  if (sessionId === null) return false;
  const isSilent = await liveSessions.isSilent(sessionId).catch((err: unknown) => {
    logger.warn({ err, session: sessionId }, 'looking for the session of an approval failed');
    return false;
  });
  if (!isSilent) return false;
  const isMovable = await database.inOrganization(caller.organizationId, (scope) =>
    isResumableSession(scope, sessionId),
  );
  return !isMovable;
}

function silent(): Problem {
  return new Problem(
    'approval-session-silent',
    'The session of this call does not respond. Try again, unless the call is cancelled meanwhile.',
  );
}

function clientOnly(): Problem {
  return new Problem(
    'approval-client-only',
    'Only the client of the session can decide this call, on its own socket.',
  );
}

const meanings = {
  waiting: 'is being decided by somebody else; try again',
  approved: 'was approved',
  rejected: 'was rejected',
  expired: 'expired before it was decided',
  cancelled: 'was cancelled when its session ended',
} as const satisfies Record<ApprovalRecord['approval'], string>;

function decided({ approval, decidedAt }: ApprovalRecord): Problem {
  const when = decidedAt ? ` at ${decidedAt.toISOString()}` : '';
  return new Problem('approval-decided', `The call ${meanings[approval]}${when}.`);
}

export function approvalView({ approval, runId: _, ...record }: ApprovalRecord): Approval {
  return {
    ...record,
    state: approval,
    createdAt: record.createdAt.toISOString(),
    deadline: record.deadline.toISOString(),
    decidedAt: record.decidedAt?.toISOString() ?? null,
    decidedBy: record.decidedBy as Approval['decidedBy'],
  };
}
