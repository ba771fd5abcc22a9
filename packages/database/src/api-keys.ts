import { sql, type Selectable } from 'kysely';
import {
  defaultScopes,
  hashApiKey,
  isScope,
  maskApiKey,
  newApiKey,
  type Scope,
} from '@parley/protocol';
import type { OrganizationScope, SystemScope } from './database.js';
import { countRows, pageIds, type PageOf, type PageRequest } from './page.js';
import type { ApiKeyTable } from './schema.js';

export type ApiKeyRecord = Omit<Selectable<ApiKeyTable>, 'keyHash' | 'scopes'> & {
  scopes: Scope[];
};

const columns = [
  'id',
  'organizationId',
  'name',
  'masked',
  'scopes',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'revokedAt',
] as const;

export type NewApiKey = {
  organizationId: string;
  name: string;
  scopes?: readonly Scope[];
  expiresAt?: Date | null;
  environment?: string;
  /** A key made elsewhere, for a bootstrap; otherwise one is made here. */
  key?: string;
};

/** The key itself is in the answer and nowhere else: only its hash is stored. */
export async function insertApiKey(
  { trx }: SystemScope,
  { organizationId, name, environment = 'live', key = newApiKey(environment), ...more }: NewApiKey,
): Promise<{ record: ApiKeyRecord; key: string }> {
  const row = await trx
    .insertInto('apiKeys')
    .values({
      organizationId,
      name,
      keyHash: hashApiKey(key),
      masked: maskApiKey(key),
      scopes: [...(more.scopes ?? defaultScopes)],
      expiresAt: more.expiresAt ?? null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return { record: toRecord(row), key };
}

export async function findApiKeyByHash(
  { trx }: SystemScope,
  hash: Buffer,
): Promise<ApiKeyRecord | undefined> {
  const row = await trx
    .selectFrom('apiKeys')
    .select(columns)
    .where('keyHash', '=', hash)
    .executeTakeFirst();
  return row && toRecord(row);
}

export async function findApiKey(
  { trx }: SystemScope,
  id: string,
): Promise<ApiKeyRecord | undefined> {
  const row = await trx
    .selectFrom('apiKeys')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toRecord(row);
}

export async function listApiKeys(
  { trx }: SystemScope,
  organizationId: string,
): Promise<ApiKeyRecord[]> {
  const rows = await trx
    .selectFrom('apiKeys')
    .select(columns)
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(toRecord);
}

export async function listApiKeyPage(
  scope: OrganizationScope,
  page: PageRequest,
): Promise<PageOf<ApiKeyRecord>> {
  const total = await countRows(keysOf(scope));
  const ids = pageIds(keysOf(scope), { orderedBy: 'createdAt', total, ...page });
  const rows = await keysOf(scope)
    .select(columns)
    .where('id', 'in', ids)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return { items: rows.map(toRecord), total };
}

export async function lockApiKey(
  scope: OrganizationScope,
  id: string,
): Promise<ApiKeyRecord | undefined> {
  const row = await keysOf(scope)
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toRecord(row);
}

export async function updateApiKey(
  { organizationId, trx }: OrganizationScope,
  { id, ...fields }: { id: string; name?: string; scopes?: Scope[]; expiresAt?: Date | null },
): Promise<ApiKeyRecord> {
  const row = await trx
    .updateTable('apiKeys')
    .set(fields)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toRecord(row);
}

function keysOf({ organizationId, trx }: OrganizationScope) {
  return trx.selectFrom('apiKeys').where('organizationId', '=', organizationId);
}

/** Once a minute at most, so that a busy key does not turn every request into a write. */
export async function noteApiKeyUse({ trx }: SystemScope, id: string): Promise<void> {
  await trx
    .updateTable('apiKeys')
    .set({ lastUsedAt: sql`now()` })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('lastUsedAt', 'is', null),
        eb('lastUsedAt', '<', sql<Date>`now() - interval '1 minute'`),
      ]),
    )
    .execute();
}

export async function revokeApiKey({ trx }: SystemScope, id: string): Promise<void> {
  await trx
    .updateTable('apiKeys')
    .set({ revokedAt: sql`now()` })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .execute();
}

function toRecord(row: Omit<ApiKeyRecord, 'scopes'> & { scopes: string[] }): ApiKeyRecord {
  return { ...row, scopes: row.scopes.filter(isScope) };
}
