import { sql, type Expression, type Selectable } from 'kysely';
import { toolCallStatusOf, type ToolCallStatus } from '@parley/protocol';
import type { OrganizationScope } from '../postgres/database.js';
import {
  idsAmong,
  leadingRows,
  longPage,
  withoutSizes,
  type LongPage,
  type PageIds,
  type Sized,
} from '../postgres/long-rows.js';
import { countRows, pageIds, type PageRequest } from '../postgres/page.js';
import type { MessageTable, ToolCallTable } from '../postgres/schema.js';

type OfConversation = 'organizationId' | 'conversationId';

export type ToolCallRecord = Omit<
  Selectable<ToolCallTable>,
  | OfConversation
  | 'sessionId'
  | 'runId'
  | 'messageId'
  | 'itemId'
  | 'status'
  | 'approvers'
  | 'deadline'
  | 'owner'
  | 'createdAt'
  | 'startedAt'
  | 'suspended'
  | 'finishedAt'
> & { status: ToolCallStatus };
export type MessageRecord = Omit<
  Selectable<MessageTable>,
  OfConversation | 'position' | 'contentIndex'
> & { toolCall: ToolCallRecord | null };

const columns = [
  'messages.id',
  'messages.sessionId',
  'messages.role',
  'messages.content',
  'messages.author',
  'messages.status',
  'messages.itemId',
  'messages.interrupted',
  'messages.audioEndMs',
  'messages.usage',
  'messages.createdAt',
] as const;

const toolCallColumns = [
  'id',
  'agentId',
  'parentId',
  'callId',
  'name',
  'arguments',
  'status',
  'approval',
  'decidedBy',
  'decidedAt',
  'result',
  'executionMs',
] as const;

export async function countMessages(
  scope: OrganizationScope,
  conversationId: string,
): Promise<number> {
  return countRows(messagesOf(scope, conversationId));
}

/** In the order in which they were spoken. */
export async function listMessages(
  scope: OrganizationScope,
  conversationId: string,
  page: PageRequest,
): Promise<LongPage<MessageRecord>> {
  const list = messagesOf(scope, conversationId);
  return longPage(list, { orderedBy: 'position', ...page }, (ids) => readPage(scope, ids));
}

/** The leading messages of those with the given ids. */
export async function messagesByIds(
  scope: OrganizationScope,
  conversationId: string,
  ids: readonly string[],
): Promise<MessageRecord[]> {
  return readPage(scope, idsAmong(messagesOf(scope, conversationId), ids));
}

async function readPage(scope: OrganizationScope, ids: PageIds): Promise<MessageRecord[]> {
  const rows = await leadingMessages(scope, messagesIn(scope, ids)).execute();
  return withToolCalls(
    scope,
    rows.map(unsized).map(({ position: _position, ...message }) => message),
  );
}

async function withToolCalls<Message extends { id: string }>(
  scope: OrganizationScope,
  messages: readonly Message[],
): Promise<(Message & { toolCall: ToolCallRecord | null })[]> {
  const toolCalls = await toolCallsOf(
    scope,
    messages.map(({ id }) => id),
  );
  return messages.map((message) => ({
    ...message,
    toolCall: toolCalls.get(message.id) ?? null,
  }));
}

export type MessagePlace = { position: number; id: string };
export type PlacedRecord = MessageRecord & Pick<MessagePlace, 'position'>;

/** The next messages of a conversation after one of them, in the order in which they were spoken. */
export async function nextMessages(
  scope: OrganizationScope,
  conversationId: string,
  { after, limit }: { after: MessagePlace | undefined; limit: number },
): Promise<PlacedRecord[]> {
  const messages = messagesOf(scope, conversationId)
    .select(placed)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(position, id) > (${after?.position}::bigint, ${after?.id}::uuid)`),
    )
    .orderBy('messages.position')
    .orderBy('messages.id')
    .limit(limit);
  const rows = await leadingMessages(scope, messages).execute();
  return withToolCalls(scope, rows.map(unsized));
}

/** The leading messages of a page. */
export function messagePage(
  scope: OrganizationScope,
  conversationId: string,
  page: PageRequest & { total: number },
) {
  const ids = pageIds(messagesOf(scope, conversationId), { orderedBy: 'position', ...page });
  return leadingMessages(scope, messagesIn(scope, ids));
}

function messagesIn({ trx }: OrganizationScope, ids: PageIds) {
  return trx
    .selectFrom('messages')
    .innerJoin(ids.as('page'), 'page.id', 'messages.id')
    .select(placed);
}

const callBytes = sql<number>`coalesce((
  select sum(octet_length(arguments::text) + coalesce(octet_length(result::text), 0))
  from tool_calls
  where message_id = messages.id and organization_id = messages.organization_id
), 0)`.as('callBytes');
const placed = [...columns, 'messages.position', callBytes] as const;

type Placed = Omit<PlacedRecord, 'toolCall'> & { callBytes: number };

function leadingMessages({ trx }: OrganizationScope, messages: Expression<Placed>) {
  return leadingRows(trx, messages, {
    orderedBy: ['position', 'id'],
    long: ['content'],
    more: 'callBytes',
  });
}

function unsized(row: Placed & Sized) {
  const { callBytes: _callBytes, ...message } = withoutSizes(row);
  return message;
}

async function toolCallsOf(
  { organizationId, trx }: OrganizationScope,
  messageIds: readonly string[],
): Promise<Map<string | null, ToolCallRecord>> {
  if (messageIds.length === 0) return new Map();
  const rows = await trx
    .selectFrom('toolCalls')
    .select([...toolCallColumns, 'messageId'])
    .where('organizationId', '=', organizationId)
    .where('messageId', 'in', messageIds)
    .execute();
  return new Map(
    rows.map(({ messageId, status, ...toolCall }) => [
      messageId,
      { ...toolCall, status: toolCallStatusOf(status) },
    ]),
  );
}

function messagesOf({ organizationId, trx }: OrganizationScope, conversationId: string) {
  return trx
    .selectFrom('messages')
    .where('organizationId', '=', organizationId)
    .where('conversationId', '=', conversationId);
}
