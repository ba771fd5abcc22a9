import { sql, type Selectable } from 'kysely';
import type { OrganizationScope } from '../postgres/database.js';
import type { ConversationFileTable } from '../postgres/schema.js';

export type ConversationFileRecord = Omit<
  Selectable<ConversationFileTable>,
  'organizationId' | 'conversationId'
>;

/**
 * Records which files were used; their content expires separately. A file that was already recorded
 * stays as it is.
 */
export async function noteGivenFiles(
  { organizationId, trx }: OrganizationScope,
  conversationId: string,
  fileIds: readonly string[],
): Promise<void> {
  if (fileIds.length === 0) return;
  await trx
    .insertInto('conversationFiles')
    .columns(['conversationId', 'organizationId', 'fileId', 'name', 'mediaType', 'sizeBytes'])
    .expression((eb) =>
      eb
        .selectFrom('temporaryFiles')
        .select([
          sql<string>`${conversationId}::uuid`.as('conversationId'),
          'organizationId',
          'id',
          'name',
          'mediaType',
          'sizeBytes',
        ])
        .where('organizationId', '=', organizationId)
        .where('id', '=', sql<string>`any(${fileIds}::uuid[])`),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function filesOfConversation(
  { organizationId, trx }: OrganizationScope,
  conversationId: string,
): Promise<ConversationFileRecord[]> {
  return trx
    .selectFrom('conversationFiles')
    .select(['fileId', 'name', 'mediaType', 'sizeBytes', 'givenAt'])
    .where('organizationId', '=', organizationId)
    .where('conversationId', '=', conversationId)
    .orderBy('givenAt')
    .orderBy('fileId')
    .execute();
}
