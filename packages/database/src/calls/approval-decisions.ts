import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { toolCallStatus, type Actor, type Approver } from '@parley/protocol';
import { appendAudit } from '../audit/audit.js';
import { canonicalJson } from '../audit/canonical-json.js';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { findToolCall, goesOn, updateCall, type CallOf } from './tool-calls.js';
import { announceEvent, announceEvents } from '../webhooks/webhook-deliveries.js';

/**
 * Decides approvals: the first decision wins, in one conditional update, by PostgreSQL's clock.
 * `now()` is the start of the transaction, so that all columns of a decision agree.
 */
export type FinalApproval = 'approved' | 'rejected' | 'expired' | 'cancelled';

type Decision =
  | { approval: 'approved' | 'rejected'; by: Actor | null }
  | { approval: 'cancelled'; by: null };

export type ApprovalRequest = {
  timeoutMs: number;
  approvers: readonly Approver[];
  /** The pod to notify of the decision. */
  owner: string | null;
};

/** The decided call, and who needs to know. */
export type DecidedCall = {
  id: string;
  approval: FinalApproval;
  organizationId: string;
  sessionId: string | null;
  runId: string | null;
  owner: string | null;
  /** Time since the call was made. */
  ageMs: number;
  /** Time since its deadline; negative before it. */
  lateMs: number;
};

/**
 * Makes the call wait for a decision, and returns the deadline. A call that already waits or was
 * decided keeps its deadline. Rejects for a call that has started or ended without an approval, and
 * for one whose session or question is over: nobody would run it.
 */
export async function openApproval(
  scope: OrganizationScope,
  call: string | CallOf,
  { timeoutMs, approvers, owner }: ApprovalRequest,
): Promise<Date> {
  const opened = await updateCall(scope, call)
    .set({
      status: toolCallStatus.waiting,
      approval: 'waiting',
      deadline: sql<Date>`date_trunc('milliseconds', now() + make_interval(secs => ${timeoutMs / 1000}))`,
      approvers: [...approvers],
      owner,
    })
    .where('approval', 'is', null)
    .where('startedAt', 'is', null)
    .where('finishedAt', 'is', null)
    .where(goesOn)
    .returning([...told, 'toolCalls.deadline'])
    .$narrowType<{ deadline: Date }>()
    .executeTakeFirst();
  if (opened) {
    const { deadline, ...asked } = opened;
    const data = { ...asked, deadline: deadline.toISOString() };
    await announceEvent(scope, 'approval.waiting', data);
    return deadline;
  }
  const deadline = (await findToolCall(scope, call))?.deadline;
  if (!deadline) throw new Error('the call cannot wait for an approval any more');
  return deadline;
}

/**
 * After the deadline, a call expires instead of being approved or rejected; it can be cancelled
 * while it waits. Undefined if it was already decided, or never waited. A person's decision goes
 * into the audit log in the same transaction.
 */
export async function decideToolCall(
  scope: OrganizationScope,
  waiting: string | CallOf,
  { approval, by }: Decision,
): Promise<DecidedCall | undefined> {
  const becomes =
    approval === 'cancelled'
      ? sql<FinalApproval>`'cancelled'`
      : sql<FinalApproval>`case when deadline > now() then ${approval}::text else 'expired' end`;
  const row = await updateCall(scope, waiting)
    .set(decision(becomes, by))
    .where('approval', '=', 'waiting')
    .returning([...told, ...decided, 'toolCalls.arguments'])
    .$narrowType<{ approval: FinalApproval }>()
    .executeTakeFirst();
  if (!row) return undefined;
  const { arguments: input, ...call } = row;
  const inTime = call.approval === approval;
  await followUp(scope, [call], inTime ? by : null);
  if (inTime && by)
    await appendAudit(scope, {
      actor: by,
      action: `approval.${approval}`,
      resourceType: 'approval',
      resourceId: call.id,
      after: { ...toldOf(call), ...(await auditedArguments(scope, input)) },
    });
  return call;
}

/**
 * Expires those that are due, most overdue first. Skips those that another transaction is deciding.
 */
export async function expireDueApprovals(
  system: SystemScope,
  limit: number,
): Promise<DecidedCall[]> {
  const calls = await system.trx
    .with('due', (db) =>
      db
        .selectFrom('toolCalls')
        .select('id')
        .where('approval', '=', 'waiting')
        .where('deadline', '<=', sql<Date>`now()`)
        .orderBy('deadline')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('toolCalls')
    .set(decision(sql<FinalApproval>`'expired'`, null))
    .where('toolCalls.id', 'in', (db) => db.selectFrom('due').select('due.id'))
    .returning([...told, ...decided])
    .$narrowType<{ approval: FinalApproval }>()
    .execute();
  if (calls.length > 0) await followUp(system, calls, null);
  return calls;
}

const timedOut = 'The approval timed out. The tool was not run.';

/**
 * Also finishes what expires in a session, because its pod may be gone. A call that already has an
 * outcome keeps it.
 */
function decision(becomes: RawBuilder<FinalApproval>, by: Actor | null) {
  const ends = sql<boolean>`${becomes} = 'expired' and session_id is not null and finished_at is null`;
  return {
    approval: becomes,
    status: sql<number>`case when finished_at is not null then status when ${becomes} = 'approved' then ${sql.lit(toolCallStatus.pending)} else ${sql.lit(toolCallStatus.failed)} end`,
    decidedBy: sql<string>`case when ${becomes} <> 'expired' then ${by && JSON.stringify(by)}::jsonb end`,
    decidedAt: sql<Date>`now()`,
    result: sql<string>`case when ${ends} then ${JSON.stringify(timedOut)}::json else result end`,
    finishedAt: sql<Date>`case when ${ends} then now() else finished_at end`,
  };
}

/** The fields of an approval that a webhook receives. Clients read the arguments over REST. */
const told = [
  'toolCalls.id',
  'toolCalls.callId',
  'toolCalls.agentId',
  'toolCalls.conversationId',
  'toolCalls.sessionId',
  'toolCalls.name',
  'toolCalls.approvers',
] as const;

const decided = [
  'toolCalls.approval',
  'toolCalls.organizationId',
  'toolCalls.runId',
  'toolCalls.owner',
  'toolCalls.messageId',
  sql<boolean>`approval = 'expired' and session_id is not null and finished_at = now()`.as('ended'),
  sql<number>`(extract(epoch from now() - created_at) * 1000)::float8`.as('ageMs'),
  sql<number>`(extract(epoch from now() - deadline) * 1000)::float8`.as('lateMs'),
] as const;

type Told = {
  id: string;
  callId: string;
  agentId: string;
  conversationId: string;
  sessionId: string | null;
  name: string;
  approvers: Approver[];
};

function toldOf({ id, callId, agentId, conversationId, sessionId, name, approvers }: Told): Told {
  return { id, callId, agentId, conversationId, sessionId, name, approvers };
}

type Decided = Told & DecidedCall & { messageId: string | null; ended: boolean };

async function followUp(
  { trx }: SystemScope,
  calls: readonly Decided[],
  decidedBy: Actor | null,
): Promise<void> {
  const ended = calls.flatMap(({ ended, messageId }) => (ended && messageId ? [messageId] : []));
  if (ended.length > 0)
    await trx
      .updateTable('messages')
      .set({ content: timedOut, status: 'failed' })
      .where('id', 'in', ended)
      .execute();
  const events = calls.map((call) => ({
    organizationId: call.organizationId,
    data: { ...toldOf(call), state: call.approval, decidedBy },
  }));
  await announceEvents({ trx }, 'approval.decided', events);
}

/**
 * The hash of the arguments, to compare them with known ones; and the arguments themselves, if the
 * organization wants that.
 */
async function auditedArguments(
  { organizationId, trx }: OrganizationScope,
  input: unknown,
): Promise<{ argumentsHash: string; arguments?: unknown }> {
  const argumentsHash = createHash('sha256').update(canonicalJson(input)).digest('hex');
  const { auditArguments } = await trx
    .selectFrom('organizations')
    .select('auditArguments')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return auditArguments ? { argumentsHash, arguments: input } : { argumentsHash };
}
