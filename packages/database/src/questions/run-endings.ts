import { sql } from 'kysely';
import { storable } from '@parley/protocol';
import { endRunCalls } from '../calls/cancel-calls.js';
import { touchConversations } from '../conversations/conversations.js';
import type { OrganizationScope } from '../postgres/database.js';
import { insertMessages } from '../conversations/messages.js';
import { isKept } from '../conversations/passing-conversations.js';
import { findRun, held, type LeasedRun, type RunRecord } from './runs.js';
import { announceEvent } from '../webhooks/webhook-deliveries.js';

export type RunOutcome = {
  state: 'answered' | 'failed';
  /** The answer; empty if there is none. */
  content: string;
  /** Why there is none. */
  failure: string | null;
  /** After what was said before it. */
  position: number;
  /** The arguments for the caller's own tools, if the question ends with them. */
  handed?: unknown;
};

/**
 * The end of a run, of what it left open, its answer in the conversation and the webhook events, in
 * one change.
 */
export async function finishRun(
  scope: OrganizationScope,
  lease: LeasedRun,
  { state, content, failure, position, handed }: RunOutcome,
): Promise<boolean> {
  const { conversationId } = lease;
  const present = await touchConversations(scope, [conversationId]);
  const finished = await held(scope, lease)
    .set({ ...over, state, failure, ...(handed !== undefined && { run: JSON.stringify(handed) }) })
    .executeTakeFirst();
  if (!finished || !present.has(conversationId)) return false;
  await endRunCalls(scope, lease.id, state);
  await tellEnd(scope, lease, { state, content, position });
  return true;
}

/** Ends a run without an answer, whoever holds it. False if it was already over. */
export async function endRun(
  scope: OrganizationScope,
  id: string,
  failure: string,
): Promise<boolean> {
  const { organizationId, trx } = scope;
  const found = await findRun(scope, id);
  if (!found) return false;
  const present = await touchConversations(scope, [found.conversationId]);
  const ended = await trx
    .updateTable('runs')
    .set({ ...over, state: 'failed', failure })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('state', 'in', ['open', 'waiting'])
    .returning('id')
    .executeTakeFirst();
  if (!ended || !present.has(found.conversationId)) return false;
  await tellEnd(scope, found, { state: 'failed', content: '', position: Date.now() * 1000 });
  return true;
}

const over = {
  run: null,
  waitingFor: [] as string[],
  owner: null,
  leaseUntil: null,
  updatedAt: sql<Date>`now()`,
};

/** Announces the end in the conversation and to webhooks. */
async function tellEnd(
  scope: OrganizationScope,
  { id, conversationId, agentId }: Pick<RunRecord, 'id' | 'conversationId' | 'agentId'>,
  { state, content, position }: Omit<RunOutcome, 'failure' | 'handed'>,
): Promise<void> {
  const status = state === 'answered' ? 'completed' : 'failed';
  await insertMessages(scope, [
    {
      id,
      conversationId,
      sessionId: null,
      position,
      role: 'assistant',
      content: storable(content),
      status,
      itemId: null,
      contentIndex: 0,
      interrupted: false,
      audioEndMs: null,
      usage: null,
      createdAt: new Date(),
    },
  ]);
  if (!(await isKept(scope, conversationId))) return;
  const messageId = id;
  await announceEvent(scope, 'question.answered', { agentId, conversationId, messageId, status });
}
