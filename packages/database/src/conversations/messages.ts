import { sql } from 'kysely';
import type { OrganizationEventData } from '@parley/protocol';
import { announce } from '../webhooks/announced.js';
import type { OrganizationScope } from '../postgres/database.js';
import type { TokenCounts } from '../organizations/usage.js';

/**
 * What was said in a conversation. A message's `position` orders it, whenever it is written: the
 * time at which its place was taken, in microseconds since 1970, increased if necessary to follow
 * its predecessor. So the messages of several sessions, even with different clocks, sort as they
 * were said, and there is room between two neighbours for one that is inserted later.
 */
export type NewMessage = {
  id: string;
  conversationId: string;
  /** Null if it was said in a question. */
  sessionId: string | null;
  position: number;
  role: 'user' | 'assistant';
  content: string;
  author?: 'client' | null;
  status: string;
  itemId: string | null;
  contentIndex: number;
  interrupted: boolean;
  audioEndMs: number | null;
  usage: TokenCounts | null;
  createdAt: Date;
};

/** Existing messages, by their id or as the same part of the same item, are kept. */
export async function insertMessages(
  scope: OrganizationScope,
  messages: readonly NewMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const { organizationId, trx } = scope;
  const rows = messages.map(({ usage, ...message }) => ({
    ...message,
    organizationId,
    usage: usage && JSON.stringify(usage),
  }));
  const inserted = await trx
    .insertInto('messages')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(announcedOfMessage)
    .execute();
  for (const message of inserted) announceMessage(scope, message);
}

/** A passing conversation is in no list, so nobody is notified of its messages. */
const isKept = sql<boolean>`(
  select keeping = 'kept' from conversations where conversations.id = messages.conversation_id
)`;

/** The columns of a written message that `announceMessage` takes. */
export const announcedOfMessage = [
  'messages.id',
  'messages.conversationId',
  'messages.sessionId',
  'messages.role',
  isKept.as('isKept'),
] as const;

export function announceMessage(
  scope: OrganizationScope,
  { isKept, ...message }: OrganizationEventData['message.created'] & { isKept: boolean },
): void {
  if (isKept) announce(scope, 'message.created', message);
}

/** What becomes known about a message after it was stored. */
export type MessageChange = {
  /** A corrected transcript. */
  content?: string;
  status?: string;
  interrupted?: true;
  /** How much of it was heard, if the client reported it. */
  audioEndMs?: number;
  itemId?: string;
  usage?: TokenCounts;
};

export async function amendMessages(
  { organizationId, trx }: OrganizationScope,
  ids: readonly string[],
  { usage, ...change }: MessageChange,
): Promise<void> {
  await trx
    .updateTable('messages')
    .set({ ...change, ...(usage && { usage: JSON.stringify(usage) }) })
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
}

export type PlacedMessage = {
  id: string;
  position: number;
  role: 'user' | 'assistant' | 'tool';
  content: string;
  itemId: string | null;
  contentIndex: number;
  audioEndMs: number | null;
};

/** A conversation, or what one session added to it. */
export type PartOfConversation = { conversationId: string; sessionId?: string };

/** The last messages, oldest first. */
export async function latestMessages(
  { organizationId, trx }: OrganizationScope,
  { conversationId, sessionId }: PartOfConversation,
  limit: number,
): Promise<PlacedMessage[]> {
  const newestFirst = await trx
    .selectFrom('messages')
    .select(['id', 'position', 'role', 'content', 'itemId', 'contentIndex', 'audioEndMs'])
    .where('organizationId', '=', organizationId)
    .where('conversationId', '=', conversationId)
    .$if(sessionId !== undefined, (all) => all.where('sessionId', '=', sessionId ?? null))
    .orderBy('position', 'desc')
    .orderBy('contentIndex', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return newestFirst.reverse();
}

/**
 * The latest messages of a conversation in which the user or the agent said all of these words,
 * case-insensitively.
 */
export async function searchMessages(
  { organizationId, trx }: OrganizationScope,
  conversationId: string,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<{ role: string; content: string; createdAt: Date }[]> {
  return trx
    .selectFrom('messages')
    .select(['role', 'content', 'createdAt'])
    .where('organizationId', '=', organizationId)
    .where('conversationId', '=', conversationId)
    .where('role', 'in', ['user', 'assistant'])
    .where((eb) => eb.and(words.map((word) => eb('content', 'ilike', `%${escapeLike(word)}%`))))
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
