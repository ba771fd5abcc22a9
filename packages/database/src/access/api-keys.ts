import { setImmediate } from 'node:timers/promises';
import { sql, type Selectable } from 'kysely';
import {
  defaultScopes,
  hashApiKey,
  isScope,
  maskApiKey,
  newApiKey,
  type Scope,
} from '@parley/protocol';
import type { Database, OrganizationScope, SystemScope } from '../postgres/database.js';
import { prepare } from '../postgres/prepared.js';
import { countRows, pageIds, type PageOf, type PageRequest } from '../postgres/page.js';
import type { ApiKeyTable } from '../postgres/schema.js';

export type ApiKeyRecord = Omit<Selectable<ApiKeyTable>, 'keyHash' | 'scopes'> & {
  scopes: Scope[];
};

/**
 * A key's last use is accurate to the minute, so that a busy key does not turn every request into a
 * write.
 */
const wasIdle = sql<boolean>`(last_used_at is null or last_used_at < now() - interval '1 minute')`;

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
  /** An existing key, for bootstrapping; otherwise a new one is generated. */
  key?: string;
};

/** Only the result contains the key itself: the database stores its hash. */
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

/** What a request needs to know about its key. */
export type PresentedKey = Pick<
  ApiKeyRecord,
  'id' | 'organizationId' | 'name' | 'scopes' | 'expiresAt' | 'revokedAt'
>;

/** A key of a deleted organization counts as revoked, also one that was created meanwhile. */
const presented = prepare<{ hashes: Buffer[] }>()('presented-keys', (trx, { hashes }) =>
  trx
    .selectFrom('apiKeys')
    .innerJoin('organizations', 'organizations.id', 'organizationId')
    .select(['keyHash', 'apiKeys.id', 'organizationId', 'apiKeys.name', 'scopes', 'expiresAt'])
    .select((eb) => eb.fn.coalesce('revokedAt', 'organizations.deletedAt').as('revokedAt'))
    .select(wasIdle.as('wasIdle'))
    .where('keyHash', '=', sql<Buffer>`any(${hashes}::bytea[])`),
);

/** Finds the key that a request sends. Its use is recorded shortly afterwards. */
export async function findPresentedKey(
  database: Database,
  hash: Buffer,
): Promise<PresentedKey | undefined> {
  const rows = await lookUpPresented(database, hash);
  const row = rows.find(({ keyHash }) => keyHash.equals(hash));
  if (!row) return undefined;
  const { keyHash: _, wasIdle: isNews, scopes, ...key } = row;
  if (isNews && !key.revokedAt) noteApiKeyUse(database, key.id);
  return { ...key, scopes: scopes.filter(isScope) };
}

type Lookup = { readonly hashes: Buffer[]; readonly rows: ReturnType<typeof readPresented> };
const nextLookup = new WeakMap<Database, Lookup>();

/**
 * What is asked for in one turn of the event loop shares a query. It is sent after everyone has
 * asked, so that a key that was revoked before is found revoked.
 */
function lookUpPresented(database: Database, hash: Buffer): Lookup['rows'] {
  const next = nextLookup.get(database);
  if (next) {
    next.hashes.push(hash);
    return next.rows;
  }
  const hashes = [hash];
  const rows = readPresented(database, hashes);
  nextLookup.set(database, { hashes, rows });
  return rows;
}

async function readPresented(database: Database, hashes: Buffer[]) {
  await setImmediate();
  nextLookup.delete(database);
  return database.read(null, presented, { hashes });
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

/** Keys whose use is written after the current write. */
const usedMeanwhile = new WeakMap<Database, Set<string>>();

/**
 * Runs in the background, and drops uses that cannot be written: the next request reports its use
 * again.
 */
function noteApiKeyUse(database: Database, id: string): void {
  const waiting = usedMeanwhile.get(database);
  if (waiting) waiting.add(id);
  else void writeApiKeyUses(database, new Set([id]));
}

async function writeApiKeyUses(database: Database, used: Set<string>): Promise<void> {
  const next = new Set<string>();
  usedMeanwhile.set(database, next);
  const ids = [...used];
  const write = database.background.asSystem(({ trx }) =>
    trx
      .updateTable('apiKeys')
      .set({ lastUsedAt: sql`now()` })
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .where(wasIdle)
      .execute(),
  );
  await write.catch(() => undefined);
  usedMeanwhile.delete(database);
  if (next.size > 0) await writeApiKeyUses(database, next);
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
