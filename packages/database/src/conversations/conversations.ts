import { randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { ConversationOutcome } from '@parley/protocol';
import { outcomeColumn, ownConversations, type ConversationFilter } from './conversation-filter.js';
import type { OrganizationScope } from '../postgres/database.js';
import { prepare, raw } from '../postgres/prepared.js';
import { countRows, pageIds, type PageOf, type PageRequest } from '../postgres/page.js';
import type { ConversationTable } from '../postgres/schema.js';

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

type NewConversation = { id: string; organizationId: string; agentId: string };

const open = prepare<NewConversation>()(
  'open-conversation',
  (db, { id, organizationId, agentId }) =>
    raw(sql`insert into conversations (id, organization_id, agent_id, keeping)
    values (${id}, ${organizationId}, (
      select id from agents
      where organization_id = ${organizationId} and id = ${agentId} and deleted_at is null
      for key share), 'kept')`)(db),
);

/** A new one, which is written with what follows in the transaction. That fails if the agent is deleted by then; see `isAgentGone`. */
export async function openConversation(
  { organizationId, trx }: OrganizationScope,
  agentId: string,
): Promise<string> {
  const id = randomUUID();
  await open.later(trx, { id, organizationId, agentId });
  return id;
}

/** Whether a transaction failed because the agent of its new conversation was deleted meanwhile. */
export function isAgentGone(error: unknown): boolean {
  const { code, table, column } = error as Partial<Record<string, unknown>>;
  return code === notNull && table === 'conversations' && column === 'agent_id';
}

const notNull = '23502';

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
