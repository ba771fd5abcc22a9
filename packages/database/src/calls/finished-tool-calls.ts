import { sql } from 'kysely';
import { toolCallStatus } from '@parley/protocol';
import type { OrganizationScope } from '../postgres/database.js';

export type FinishedToolCall = {
  callId: string;
  itemId: string | null;
  name: string;
  arguments: unknown;
  result: unknown;
  /** Its position among the messages: that of its own message, otherwise by time. */
  position: number;
};

export type CallsWanted = {
  conversationId: string;
  /** Limits the calls to those of one session. */
  sessionId?: string;
  /** Limits the calls to those of one question. */
  runId?: string;
  after: number;
};

const finished = [toolCallStatus.succeeded, toolCallStatus.failed];

/**
 * The last finished tool calls of a conversation after a position, oldest first. Calls of a
 * sub-agent are excluded: the conversation's model only knows the sub-agent's answer.
 */
export async function finishedToolCalls(
  { organizationId, trx }: OrganizationScope,
  { conversationId, sessionId, runId, after }: CallsWanted,
  limit: number,
): Promise<FinishedToolCall[]> {
  const position = sql<number>`coalesce(messages.position,
    (extract(epoch from tool_calls.created_at) * 1000000)::bigint)`;
  const newestFirst = await trx
    .selectFrom('toolCalls')
    .leftJoin('messages', 'messages.id', 'toolCalls.messageId')
    .select([
      'toolCalls.callId',
      'toolCalls.itemId',
      'toolCalls.name',
      'toolCalls.arguments',
      'toolCalls.result',
      position.as('position'),
    ])
    .where('toolCalls.organizationId', '=', organizationId)
    .where('toolCalls.conversationId', '=', conversationId)
    .$if(sessionId !== undefined, (all) => all.where('toolCalls.sessionId', '=', sessionId ?? null))
    .$if(runId !== undefined, (all) => all.where('toolCalls.runId', '=', runId ?? ''))
    .where('toolCalls.parentId', 'is', null)
    .where('toolCalls.status', 'in', finished)
    .where(position, '>=', after)
    .orderBy('position', 'desc')
    .orderBy('toolCalls.id', 'desc')
    .limit(limit)
    .execute();
  return newestFirst.reverse();
}
