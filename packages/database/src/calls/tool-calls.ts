import { sql, type Selectable } from 'kysely';
import { storable, toolCallStatus, toolCallStatusOf, type ToolCallStatus } from '@parley/protocol';
import type { OrganizationScope } from '../postgres/database.js';
import { openerIsOver } from '../access/openers.js';
import { announcedOfMessage, announceMessage } from '../conversations/messages.js';
import { movedSessions } from '../conversations/moved-sessions.js';
import type { ToolCallTable } from '../postgres/schema.js';

/**
 * Each step of a tool call is one conditional update, so that a call is decided once, run at most
 * once and finished once, whoever asks and however often.
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
  /** The id of its item at the provider. */
  itemId?: string | null;
  name: string;
  arguments: unknown;
  position: number;
  createdAt: Date;
};

export type ToolCallEnd = {
  status: Extract<ToolCallStatus, 'succeeded' | 'failed'>;
  result: unknown;
  /** What a reader of the conversation sees. */
  text: string;
  executionMs: number | null;
  /**
   * It was not run. If another process has claimed it meanwhile, that process reports the outcome.
   */
  notRun?: boolean;
};

export type StoredToolCall = Omit<
  Selectable<ToolCallTable>,
  'organizationId' | 'owner' | 'itemId' | 'status' | 'suspended'
> & { status: ToolCallStatus };

/**
 * A call, and the session that it must belong to: a session that was taken over changes nothing
 * about the calls that another one has adopted. Without a session, whoever has it.
 */
export type CallOf = { readonly id: string; readonly sessionId?: string | null | undefined };

/**
 * Records the call and its message, which is empty until the call is finished. Idempotent. False if
 * its session was taken over: then nothing is recorded.
 */
export async function recordToolCall(
  scope: OrganizationScope,
  { position, ...call }: NewToolCall,
): Promise<boolean> {
  const { organizationId, trx } = scope;
  const { messageId, conversationId, sessionId, createdAt } = call;
  if (sessionId !== null && (await movedSessions(scope, [sessionId])).size > 0) return false;
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
    .values({
      ...call,
      organizationId,
      arguments: JSON.stringify(call.arguments),
      status: toolCallStatus.pending,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await trx
    .updateTable('conversations')
    .set({ updatedAt: sql<Date>`now()` })
    .where('organizationId', '=', organizationId)
    .where('id', '=', conversationId)
    .execute();
  return true;
}

/** Whether the session or question continues, and its opener is still allowed. */
export const goesOn = sql<boolean>`not exists (
    select from realtime_sessions s where s.id = tool_calls.session_id
      and (s.ended_at is not null or ${openerIsOver('s')}))
  and not exists (
    select from runs r where r.id = tool_calls.run_id
      and (r.state in ('answered', 'failed') or ${openerIsOver('r')}))`;

/**
 * True at most once ever, for a call that needs no approval or has it, and whose session or
 * question continues. The caller then runs the tool.
 */
export async function claimToolCall(
  scope: OrganizationScope,
  call: string | CallOf,
): Promise<boolean> {
  const claimed = await updateCall(scope, call)
    .set({ startedAt: sql<Date>`now()`, status: toolCallStatus.pending })
    .where('startedAt', 'is', null)
    .where('finishedAt', 'is', null)
    .where((eb) => eb.or([eb('approval', 'is', null), eb('approval', '=', 'approved')]))
    .where(goesOn)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/**
 * Keeps how far a call has got whose sub-agent waits. False if the call is over, or no longer that
 * session's.
 */
export function suspendToolCall(
  scope: OrganizationScope,
  call: CallOf,
  suspended: object,
): Promise<boolean> {
  return setSuspended(scope, call, JSON.stringify(suspended));
}

/**
 * Somebody works on the call again: what was kept no longer says how far it is, so nobody else may
 * go on from there. False as above.
 */
export function resumeToolCall(scope: OrganizationScope, call: CallOf): Promise<boolean> {
  return setSuspended(scope, call, null);
}

async function setSuspended(
  scope: OrganizationScope,
  call: CallOf,
  suspended: string | null,
): Promise<boolean> {
  const changed = await updateCall(scope, call)
    .set({ suspended })
    .where('startedAt', 'is not', null)
    .where('finishedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Stores the outcome, in the call and in its message. False if it already has one, which stays. */
export async function finishToolCall(
  scope: OrganizationScope,
  call: string | CallOf,
  { status, result, text, executionMs, notRun = false }: ToolCallEnd,
): Promise<boolean> {
  const finished = await updateCall(scope, call)
    .set({
      status: toolCallStatus[status],
      result: JSON.stringify(result ?? null),
      executionMs,
      suspended: null,
      finishedAt: sql<Date>`now()`,
    })
    .where('finishedAt', 'is', null)
    .$if(notRun, (query) => query.where('startedAt', 'is', null))
    .returning('messageId')
    .executeTakeFirst();
  if (!finished) return false;
  await scope.trx
    .updateTable('messages')
    .set({ content: storable(text), status: status === 'succeeded' ? 'completed' : 'failed' })
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', finished.messageId)
    .execute();
  return true;
}

export async function findToolCall(
  { organizationId, trx }: OrganizationScope,
  call: string | CallOf,
): Promise<StoredToolCall | undefined> {
  const { id, sessionId } = named(call);
  const found = await trx
    .selectFrom('toolCalls')
    .select(columns)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .$if(Boolean(sessionId), (all) => all.where('sessionId', '=', sessionId ?? null))
    .executeTakeFirst();
  return found && { ...found, status: toolCallStatusOf(found.status) };
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

export function updateCall({ organizationId, trx }: OrganizationScope, call: string | CallOf) {
  const { id, sessionId } = named(call);
  return trx
    .updateTable('toolCalls')
    .where('toolCalls.organizationId', '=', organizationId)
    .where('toolCalls.id', '=', id)
    .$if(Boolean(sessionId), (all) => all.where('toolCalls.sessionId', '=', sessionId ?? null));
}

function named(call: string | CallOf): CallOf {
  return typeof call === 'string' ? { id: call } : call;
}
