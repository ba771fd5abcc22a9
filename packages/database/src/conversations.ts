import type { Selectable } from 'kysely';
import type { OrganizationScope } from './database.js';
import type { ConversationTable } from './schema.js';

export type ConversationRecord = Omit<Selectable<ConversationTable>, 'organizationId'>;

const columns = ['id', 'agentId', 'createdAt', 'updatedAt'] as const;

export async function insertConversation(
  { organizationId, trx }: OrganizationScope,
  agentId: string,
): Promise<ConversationRecord> {
  return trx
    .insertInto('conversations')
    .values({ organizationId, agentId })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function findConversation(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<ConversationRecord | undefined> {
  return trx
    .selectFrom('conversations')
    .select(columns)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}
