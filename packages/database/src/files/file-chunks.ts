import type { OrganizationScope } from '../postgres/database.js';

export type FileChunk = { fileId: string; position: number; bytes: Buffer };

export async function insertFileChunk(
  { organizationId, trx }: OrganizationScope,
  chunk: FileChunk,
): Promise<void> {
  await trx
    .insertInto('temporaryFileChunks')
    .values({ ...chunk, organizationId })
    .execute();
}

export async function findFileChunk(
  { organizationId, trx }: OrganizationScope,
  { fileId, position }: Omit<FileChunk, 'bytes'>,
): Promise<Buffer | undefined> {
  const chunk = await trx
    .selectFrom('temporaryFileChunks')
    .select('bytes')
    .where('organizationId', '=', organizationId)
    .where('fileId', '=', fileId)
    .where('position', '=', position)
    .executeTakeFirst();
  return chunk?.bytes;
}

export async function deleteFileChunks(
  { organizationId, trx }: OrganizationScope,
  fileId: string,
): Promise<void> {
  await trx
    .deleteFrom('temporaryFileChunks')
    .where('organizationId', '=', organizationId)
    .where('fileId', '=', fileId)
    .execute();
}
