import { sql, type Selectable } from 'kysely';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { countRows, pageIds, type PageOf, type PageRequest } from '../postgres/page.js';
import type { TemporaryFileTable } from '../postgres/schema.js';

export type FileStorage = TemporaryFileTable['storage'];

export const fileStorages = ['postgres', 's3'] as const satisfies readonly FileStorage[];

/** Where the bytes of a file are. */
export type StoredFile = { id: string; organizationId: string; storage: FileStorage };

export type FileRecord = Omit<
  Selectable<TemporaryFileTable>,
  'extractedText' | 'uploadedAt' | 'organizationId'
>;

const columns = [
  'id',
  'name',
  'mediaType',
  'sizeBytes',
  'characters',
  'textTruncated',
  'storage',
  'createdAt',
  'expiresAt',
] as const;

/** An upload that has not finished by then never will. */
const uploadSeconds = 3600;

const now = sql<Date>`now()`;

/**
 * Inserted before the first byte is stored, so that there are never bytes without a row. The file
 * is not visible yet.
 */
export async function beginUpload(
  { organizationId, trx }: OrganizationScope,
  file: { name: string; storage: FileStorage },
): Promise<StoredFile> {
  return trx
    .insertInto('temporaryFiles')
    .values({
      ...file,
      organizationId,
      mediaType: 'application/octet-stream',
      sizeBytes: 0,
      expiresAt: sql<Date>`now() + make_interval(secs => ${uploadSeconds})`,
    })
    .returning(['id', 'organizationId', 'storage'])
    .executeTakeFirstOrThrow();
}

export type UploadedFile = {
  id: string;
  mediaType: string;
  sizeBytes: number;
  text: string;
  textTruncated: boolean;
  ttlHours: number;
};

/**
 * All bytes are stored: the file becomes visible. Undefined if the upload took so long that a sweep
 * has taken it.
 */
export async function finishUpload(
  { organizationId, trx }: OrganizationScope,
  { id, text, ttlHours, ...found }: UploadedFile,
): Promise<FileRecord | undefined> {
  return trx
    .updateTable('temporaryFiles')
    .set({
      ...found,
      extractedText: text,
      characters: text.length,
      uploadedAt: now,
      expiresAt: sql<Date>`now() + make_interval(hours => ${ttlHours})`,
    })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('uploadedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(columns)
    .executeTakeFirst();
}

export async function listFiles(
  scope: OrganizationScope,
  page: PageRequest,
): Promise<PageOf<FileRecord>> {
  const total = await countRows(visibleFiles(scope));
  const ids = pageIds(visibleFiles(scope), { orderedBy: 'createdAt', total, ...page });
  const items = await visibleFiles(scope)
    .where('id', 'in', ids)
    .select(columns)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return { items, total };
}

export async function findFile(
  scope: OrganizationScope,
  id: string,
): Promise<FileRecord | undefined> {
  return visibleFiles(scope).where('id', '=', id).select(columns).executeTakeFirst();
}

/** Hides the file; its bytes and its row are left to whoever discards it. */
export async function expireFile(
  scope: OrganizationScope,
  id: string,
): Promise<FileRecord | undefined> {
  const file = await visibleFiles(scope)
    .where('id', '=', id)
    .select(columns)
    .forUpdate()
    .executeTakeFirst();
  if (file) await expire(scope, id);
  return file;
}

/**
 * Expires an upload that failed, unless a sweep has taken it already. False if it did not fail: its
 * transaction was committed, and only PostgreSQL's response was lost.
 */
export async function abandonUpload(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<boolean> {
  await trx
    .updateTable('temporaryFiles')
    .set({ expiresAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('uploadedAt', 'is', null)
    .execute();
  const uploaded = await trx
    .selectFrom('temporaryFiles')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('uploadedAt', 'is not', null)
    .executeTakeFirst();
  return uploaded === undefined;
}

/** Files that are no longer visible, and uploads that never finished; the oldest first. */
export async function expiredFiles(
  { trx }: SystemScope,
  { storage, limit }: { storage: FileStorage; limit: number },
): Promise<StoredFile[]> {
  return trx
    .selectFrom('temporaryFiles')
    .select(['id', 'organizationId', 'storage'])
    .where('storage', '=', storage)
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(limit)
    .execute();
}

/** Expired files that could not be deleted: their turn comes again after all others. */
export async function expireAgain({ trx }: SystemScope, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable('temporaryFiles')
    .set({ expiresAt: now })
    .where('id', '=', anyOf(ids))
    .where('expiresAt', '<=', now)
    .execute();
}

/** Only deletes expired files, once their bytes are gone. Returns how many there were. */
export async function deleteFileRows(
  { organizationId, trx }: OrganizationScope,
  ids: readonly string[],
): Promise<number> {
  const result = await trx
    .deleteFrom('temporaryFiles')
    .where('organizationId', '=', organizationId)
    .where('id', '=', anyOf(ids))
    .where('expiresAt', '<=', now)
    .executeTakeFirstOrThrow();
  return Number(result.numDeletedRows);
}

/** The given ids that are not files of the organization, or that have expired. */
export async function missingFiles(
  scope: OrganizationScope,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await visibleFiles(scope).where('id', '=', anyOf(ids)).select('id').execute();
  const visible = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !visible.has(id.toLowerCase()));
}

export type FileText = {
  readonly name: string;
  readonly text: string;
  /** The text is truncated. */
  readonly cut?: boolean;
};

export type LoadedFileTexts =
  | { readonly outcome: 'loaded'; readonly files: readonly FileText[] }
  /** With the files that are still there. */
  | {
      readonly outcome: 'missing';
      readonly fileIds: readonly string[];
      readonly files: readonly FileText[];
    };

/** The beginning of each file's text, in the order of the ids. */
export async function loadFileTexts(
  scope: OrganizationScope,
  fileIds: readonly string[],
  maxCharacters: number,
): Promise<LoadedFileTexts> {
  if (fileIds.length === 0) return { outcome: 'loaded', files: [] };
  const rows = await visibleFiles(scope)
    .where('id', '=', anyOf(fileIds))
    .select(['id', 'name', 'characters', 'textTruncated'])
    .select(sql<string>`left(extracted_text, ${maxCharacters})`.as('text'))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const missing = fileIds.filter((id) => !byId.has(id.toLowerCase()));
  const files = fileIds.flatMap((id) => {
    const row = byId.get(id.toLowerCase());
    if (!row) return [];
    const { name, text, characters, textTruncated } = row;
    return [{ name, text, cut: textTruncated || characters > text.length }];
  });
  return missing.length > 0
    ? { outcome: 'missing', fileIds: missing, files }
    : { outcome: 'loaded', files };
}

function anyOf(ids: readonly string[]) {
  return sql<string>`any(${ids}::uuid[])`;
}

function visibleFiles({ organizationId, trx }: OrganizationScope) {
  return trx
    .selectFrom('temporaryFiles')
    .where('organizationId', '=', organizationId)
    .where('uploadedAt', 'is not', null)
    .where('expiresAt', '>', now);
}

async function expire({ organizationId, trx }: OrganizationScope, id: string): Promise<void> {
  await trx
    .updateTable('temporaryFiles')
    .set({ expiresAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
