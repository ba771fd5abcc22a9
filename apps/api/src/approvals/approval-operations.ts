import type { ApprovalDesk, Verdict } from '@parley/approvals';
import {
  findApprovals,
  isResumableSession,
  listApprovals,
  type ApprovalRecord,
  type Database,
} from '@parley/database';
import { Problem, type Approval } from '@parley/protocol';
import type { Logger } from '@parley/service-kit';
import type { LiveSessions } from '@parley/session-store';
import type { Caller, Handlers } from '../http/call.js';
import { notFound } from '../http/found.js';

export type ApprovalPorts = {
  database: Database;
  approvals: Pick<ApprovalDesk, 'decide'>;
  liveSessions: Pick<LiveSessions, 'isSilent'>;
  logger: Logger;
};

type ApprovalHandlers = Pick<Handlers, 'listApprovals' | 'approveCall' | 'rejectCall'>;

export function approvalOperations(ports: ApprovalPorts): ApprovalHandlers {
  const { database } = ports;
  const decideAs =
    (verdict: Verdict) =>
    ({ caller, params }: { caller: Caller; params: { callId: string } }) =>
      decideApproval({ ...ports, caller }, params.callId, verdict);
  return {
    listApprovals: {
      run: ({
        caller,
        query: {
          State: approval,
          AgentId: agentId,
          ConversationId: conversationId,
          Offset: offset = 0,
          Limit: limit = 0,
        },
      }) =>
        database.inSnapshot(caller.organizationId, async (scope) => {
          const filter = { approval, agentId, conversationId };
          const { items, total } = await listApprovals(scope, filter, { offset, limit });
          return { items: items.map(approvalView), total, offset, limit };
        }),
    },
    approveCall: { run: decideAs('approved') },
    rejectCall: { run: decideAs('rejected') },
  };
}

type Work = ApprovalPorts & { caller: Caller };

async function decideApproval(work: Work, idOrCallId: string, verdict: Verdict): Promise<Approval> {
  const { approvals, caller } = work;
  const { organizationId, actor } = caller;
  const waiting = await find(work, idOrCallId);
  if (waiting.approval !== 'waiting') throw decided(waiting);
  if (!waiting.approvers.includes('api')) throw clientOnly();
  if (verdict === 'approved' && (await isAbandoned(work, waiting))) throw silent();
  const first = await approvals.decide({ id: waiting.id, organizationId }, verdict, actor);
  const now = await find(work, waiting.id);
  if (!first) throw decided(now);
  logDecision(work, now);
  return approvalView(now);
}

function logDecision({ caller, logger }: Work, { id, approval, ...call }: ApprovalRecord): void {
  const { organizationId, openedBy } = caller;
  const { sessionId: session, agentId, conversationId } = call;
  logger.info(
    {
      ...{ approval: id, decision: approval, session },
      ...{ organizationId, agentId, conversationId },
      ...openedBy,
    },
    'approval decided',
  );
}

async function find({ database, caller }: Work, idOrCallId: string): Promise<ApprovalRecord> {
  const [approval, another] = await database.inOrganization(caller.organizationId, (scope) =>
    findApprovals(scope, idOrCallId),
  );
  if (!approval) throw notFound();
  if (another)
    throw new Problem(
      'approval-ambiguous',
      'Several calls are waiting with this call id. Decide each one by the approval’s own id.',
    );
  return approval;
}

/** Whether nobody would run the call. Redis only knows so, and is not needed to decide. */
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
