import { sql } from 'kysely';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { hasOpenRun } from '../questions/runs.js';

export async function isKept(
  { organizationId, trx }: OrganizationScope,
  conversationId: string,
): Promise<boolean> {
  const kept = await trx
    .selectFrom('conversations')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', conversationId)
    .where('keeping', '=', 'kept')
    .executeTakeFirst();
  return kept !== undefined;
}

/**
 * Ends a passing conversation: deletes its words, and the arguments and results of its tool calls.
 * That there was a question, and what it cost, is kept. Tasks that agents wrote belong to the
 * organization.
 */
export async function forgetWords(
  { organizationId, trx }: OrganizationScope,
  conversationId: string,
): Promise<boolean> {
  const passed = await trx
    .updateTable('conversations')
    .set({ keeping: 'forgotten' })
    .where('organizationId', '=', organizationId)
    .where('id', '=', conversationId)
    .where('keeping', '=', 'passing')
    .returning('id')
    .executeTakeFirst();
  if (!passed) return false;
  await trx
    .updateTable('messages')
    .set({ content: '' })
    .where('organizationId', '=', organizationId)
    .where('conversationId', '=', conversationId)
    .execute();
  await trx
    .updateTable('toolCalls')
    .set({ arguments: 'null', result: null })
    .where('organizationId', '=', organizationId)
    .where('conversationId', '=', conversationId)
    .execute();
  await trx
    .updateTable('runs')
    .set({ run: null })
    .where('organizationId', '=', organizationId)
    .where('conversationId', '=', conversationId)
    .execute();
  return true;
}

export type PassingConversation = { id: string; organizationId: string };

/** Passing conversations without any recent activity. */
export async function stalePassingConversations(
  { trx }: SystemScope,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<PassingConversation[]> {
  return trx
    .selectFrom('conversations')
    .select(['id', 'organizationId'])
    .where('keeping', '=', 'passing')
    .where('updatedAt', '<', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .where(sql<boolean>`not ${hasOpenRun}`)
    .orderBy('updatedAt')
    .limit(limit)
    .execute();
}
