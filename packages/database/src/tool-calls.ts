import { createHash } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { Actor, Approver } from '@parley/protocol';
import { appendAudit } from './audit.js';
import { canonicalJson } from './canonical-json.js';
import type { OrganizationScope } from './database.js';
import { openerIsOver } from './openers.js';
import { announcedOfMessage, announceMessage } from './messages.js';
import type { ToolCallTable } from './schema.js';
import { announceEvent } from './webhook-deliveries.js';

/**
 * The second wall of a tool call, behind Redis: each step is one conditional update, so that a call is decided once, run at most once and
 * finished once, whoever asks and however often.
 */
export type NewToolCall = {
  id: string;
  messageId: string;
  conversationId: string;
  sessionId: string | null;
  runId: string | null;
  parentId: string | null;
  agentId: string;
  callId: string;
  name: string;
  arguments: unknown;
  position: number;
  createdAt: Date;
};

export type FinalApproval = 'approved' | 'rejected' | 'expired' | 'cancelled';

export type ApprovalDecision = {
  approval: FinalApproval;
  by: Actor | null;
  /** Now, unless Redis knows better. */
  at?: Date;
};

export type ToolCallEnd = {
  /** Success or failure. */
  status: 1 | 2;
  result: unknown;
  /** What a reader of the conversation sees. */
  text: string;
  executionMs: number | null;
  /** It was not run: should somebody have claimed it since, the outcome is theirs. */
  notRun?: boolean;
};

export type StoredToolCall = Omit<Selectable<ToolCallTable>, 'organizationId'>;

/** The call and its message, which is empty until the call is finished. Repeating it changes nothing. */
export async function recordToolCall(
  scope: OrganizationScope,
  { position, ...call }: NewToolCall,
): Promise<void> {
  const { organizationId, trx } = scope;
  const { messageId, conversationId, sessionId, createdAt } = call;
  const message = await trx
    .insertInto('messages')
    .values({
      id: messageId,
      organizationId,
      conversationId,
      sessionId,
      position,
      role: 'tool',
      content: '',
      status: 'in_progress',
      itemId: null,
      audioEndMs: null,
      usage: null,
      createdAt,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(announcedOfMessage)
    .executeTakeFirst();
  if (message) announceMessage(scope, message);
  await trx
    .insertInto('toolCalls')
    .values({ ...call, organizationId, arguments: JSON.stringify(call.arguments), status: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await trx
    .updateTable('conversations')
    .set({ updatedAt: sql<Date>`now()` })
    .where('organizationId', '=', organizationId)
    .where('id', '=', conversationId)
    .execute();
}

export type Wait = { deadline: Date; approvers: readonly Approver[] };

/** From now on the call waits for a decision. One that was decided or has begun stays as it is. */
export async function markWaiting(
  scope: OrganizationScope,
  id: string,
  { deadline, approvers }: Wait,
): Promise<void> {
  const waiting = await updateCall(scope, id)
    .set({ status: 3, approval: 'waiting', deadline, approvers: [...approvers] })
    .where('approval', 'is', null)
    .where('startedAt', 'is', null)
    .where('finishedAt', 'is', null)
    .returning(told)
    .executeTakeFirst();
  if (waiting)
    await announceEvent(scope, 'approval.waiting', {
      ...waiting,
      deadline: deadline.toISOString(),
    });
}

/** False: it was decided before, or never waited. What somebody decides goes into the audit log with it. */
export async function decideToolCall(
  scope: OrganizationScope,
  id: string,
  { approval, by, at }: ApprovalDecision,
): Promise<boolean> {
  const decided = await updateCall(scope, id)
    .set({
      approval,
      // One whose decision could not be recorded in time has its end already.
      status: sql<number>`case when finished_at is null then ${approval === 'approved' ? 0 : 2}::int else status end`,
      decidedBy: by && JSON.stringify(by),
      decidedAt: at ?? sql<Date>`now()`,
    })
    .where('approval', '=', 'waiting')
    .returning([...told, 'toolCalls.arguments'])
    .executeTakeFirst();
  if (!decided) return false;
  const { arguments: input, ...call } = decided;
  await announceEvent(scope, 'approval.decided', { ...call, state: approval, decidedBy: by });
  if (by)
    await appendAudit(scope, {
      actor: by,
      action: `approval.${approval}`,
      resourceType: 'approval',
      resourceId: id,
      after: { ...call, ...(await auditedArguments(scope, input)) },
    });
  return true;
}

/** Their hash, which tells whether they are those that somebody remembers; and themselves, if the organization wants that. */
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

/** Neither is over, nor is who opened it. */
const goesOn = sql<boolean>`not exists (
    select from realtime_sessions s where s.id = tool_calls.session_id
      and (s.ended_at is not null or ${openerIsOver('s')}))
  and not exists (
    select from runs r where r.id = tool_calls.run_id
      and (r.state in ('answered', 'failed') or ${openerIsOver('r')}))`;

/** True at most once ever, for a call that needs no approval or has it, and whose session or question goes on. The caller then runs the tool. */
export async function claimToolCall(scope: OrganizationScope, id: string): Promise<boolean> {
  const claimed = await updateCall(scope, id)
    .set({ startedAt: sql<Date>`now()`, status: 0 })
    .where('startedAt', 'is', null)
    .where('finishedAt', 'is', null)
    .where((eb) => eb.or([eb('approval', 'is', null), eb('approval', '=', 'approved')]))
    .where(goesOn)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** The outcome, in the call and in its message. False: it has one, which stays. */
export async function finishToolCall(
  scope: OrganizationScope,
  id: string,
  { status, result, text, executionMs, notRun = false }: ToolCallEnd,
): Promise<boolean> {
  const finished = await updateCall(scope, id)
    .set({
      status,
      result: JSON.stringify(result ?? null),
      executionMs,
      finishedAt: sql<Date>`now()`,
    })
    .where('finishedAt', 'is', null)
    .$if(notRun, (query) => query.where('startedAt', 'is', null))
    .returning('messageId')
    .executeTakeFirst();
  if (!finished) return false;
  await scope.trx
    .updateTable('messages')
    // PostgreSQL has no NUL in a text.
    .set({ content: text.replaceAll('\0', ''), status: status === 1 ? 'completed' : 'failed' })
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', finished.messageId)
    .execute();
  return true;
}

export async function findToolCall(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<StoredToolCall | undefined> {
  return trx
    .selectFrom('toolCalls')
    .select(columns)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What a session that is over leaves open ends with it: nothing of it runs afterwards. Tells how many calls that were. */
export function cancelSessionCalls(scope: OrganizationScope, sessionId: string): Promise<number> {
  return cancelCalls(scope, { column: 'sessionId', id: sessionId, over: 'The session ended' });
}

/** The same for a question. */
export function cancelRunCalls(scope: OrganizationScope, runId: string): Promise<number> {
  return cancelCalls(scope, { column: 'runId', id: runId, over: 'The question was cancelled' });
}

type Place = { column: 'sessionId' | 'runId'; id: string; over: string };

const leftOpen = {
  waiting: 'before the call was approved. The tool was not run.',
  pending: 'before the tool was run.',
  running: 'while the tool was running. Its outcome is unknown.',
} as const;

async function cancelCalls(scope: OrganizationScope, place: Place): Promise<number> {
  const { organizationId, trx } = scope;
  const open = await trx
    .selectFrom('toolCalls')
    .select(['id', 'approval', 'startedAt'])
    .where('organizationId', '=', organizationId)
    .where(place.column, '=', place.id)
    .where('finishedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id, approval, startedAt } of open) {
    if (approval === 'waiting')
      await decideToolCall(scope, id, { approval: 'cancelled', by: null });
    const step = startedAt ? 'running' : approval === 'waiting' ? 'waiting' : 'pending';
    const text = `${place.over} ${leftOpen[step]}`;
    await finishToolCall(scope, id, { status: 2, result: text, text, executionMs: null });
  }
  return open.length;
}

const columns = [
  'id',
  'conversationId',
  'sessionId',
  'runId',
  'parentId',
  'agentId',
  'messageId',
  'callId',
  'name',
  'arguments',
  'status',
  'approval',
  'approvers',
  'deadline',
  'decidedBy',
  'decidedAt',
  'result',
  'executionMs',
  'createdAt',
  'startedAt',
  'finishedAt',
] as const;

/** What a webhook is told of an approval. Its arguments are read over REST. */
const told = [
  'toolCalls.id',
  'toolCalls.callId',
  'toolCalls.agentId',
  'toolCalls.conversationId',
  'toolCalls.sessionId',
  'toolCalls.name',
  'toolCalls.approvers',
] as const;

function updateCall({ organizationId, trx }: OrganizationScope, id: string) {
  return trx
    .updateTable('toolCalls')
    .where('toolCalls.organizationId', '=', organizationId)
    .where('toolCalls.id', '=', id);
}
