import { sql, type Selectable } from 'kysely';
import type { ConversationOutcome } from '@parley/protocol';
import { outcomeColumn, ownConversations, type ConversationFilter } from './conversation-filter.js';
import type { OrganizationScope } from './database.js';
import { countRows, pageIds, type PageOf, type PageRequest } from './page.js';
import type { ConversationTable } from './schema.js';

export type ConversationRecord = Omit<Selectable<ConversationTable>, 'organizationId' | 'keeping'>;
export type CountedConversation = ConversationRecord & {
  messageCount: number;
  outcome: ConversationOutcome;
};

const columns = [
  'conversations.id',
  'conversations.agentId',
  'conversations.createdAt',
  'conversations.updatedAt',
] as const;

export async function insertConversation(
  { organizationId, trx }: OrganizationScope,
  agentId: string,
  keeping: 'kept' | 'passing' = 'kept',
): Promise<ConversationRecord> {
  return trx
    .insertInto('conversations')
    .values({ organizationId, agentId, keeping })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function listConversations(
  scope: OrganizationScope,
  filter: ConversationFilter,
  page: PageRequest,
): Promise<PageOf<CountedConversation>> {
  const total = await countRows(ownConversations(scope, filter));
  const items = await conversationPage(scope, filter, { ...page, total }).execute();
  return { items, total };
}

export function conversationPage(
  scope: OrganizationScope,
  filter: ConversationFilter,
  page: PageRequest & { total: number },
) {
  const ids = pageIds(ownConversations(scope, filter), { orderedBy: 'createdAt', ...page });
  return scope.trx
    .selectFrom('conversations')
    .innerJoin(ids.as('page'), 'page.id', 'conversations.id')
    .select(columns)
    .select(outcomeColumn(scope).as('outcome'))
    .select((eb) =>
      eb
        .selectFrom('messages')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .where('messages.organizationId', '=', scope.organizationId)
        .whereRef('messages.conversationId', '=', 'conversations.id')
        .$asScalar()
        .$notNull()
        .as('messageCount'),
    )
    .orderBy('conversations.createdAt')
    .orderBy('conversations.id');
}

export async function findConversation(
  scope: OrganizationScope,
  id: string,
): Promise<ConversationRecord | undefined> {
  return selectConversation(scope, id).where('keeping', '=', 'kept').executeTakeFirst();
}

export async function outcomeOf(
  scope: OrganizationScope,
  id: string,
): Promise<ConversationOutcome | undefined> {
  const row = await scope.trx
    .selectFrom('conversations')
    .select(outcomeColumn(scope).as('outcome'))
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.outcome;
}

/** Notes that conversations go on, and tells which of them are there. Those cannot be deleted until the transaction ends. */
export async function touchConversations(
  { organizationId, trx }: OrganizationScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx
    .updateTable('conversations')
    .set({ updatedAt: sql<Date>`now()` })
    .where('organizationId', '=', organizationId)
    .where('id', 'in', [...new Set(ids)])
    .returning('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** For its deletion: nothing can be added to the conversation until the transaction ends. */
export async function lockConversation(
  scope: OrganizationScope,
  id: string,
): Promise<ConversationRecord | undefined> {
  return selectConversation(scope, id).where('keeping', '=', 'kept').forUpdate().executeTakeFirst();
}

/** For what will point at it: nobody can delete the conversation until the transaction ends. */
export async function holdConversation(
  scope: OrganizationScope,
  id: string,
): Promise<ConversationRecord | undefined> {
  return selectConversation(scope, id).forKeyShare().executeTakeFirst();
}

function selectConversation({ organizationId, trx }: OrganizationScope, id: string) {
  return trx
    .selectFrom('conversations')
    .where('organizationId', '=', organizationId)
    .select(columns)
    .where('id', '=', id);
}
