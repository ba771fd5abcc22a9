import { sql, type Insertable, type Selectable } from 'kysely';
import type { OrganizationScope } from '../postgres/database.js';
import type { PageOf, PageRequest } from '../postgres/page.js';
import type { ConnectionTable } from '../postgres/schema.js';

export type ConnectionRecord = Omit<Selectable<ConnectionTable>, 'organizationId' | 'secret'> & {
  hasSecret: boolean;
};

export type ConnectionFields = Omit<
  Insertable<ConnectionTable>,
  'id' | 'organizationId' | 'createdAt' | 'updatedAt' | 'secret'
>;

const columns = [
  'connections.id',
  'connections.name',
  'connections.kind',
  'connections.baseUrl',
  'connections.models',
  'connections.realtime',
  'connections.enabled',
  'connections.createdAt',
  'connections.updatedAt',
  sql<boolean>`connections.secret is not null`.as('hasSecret'),
] as const;

export async function listConnections(
  scope: OrganizationScope,
  page: PageRequest,
): Promise<PageOf<ConnectionRecord>> {
  const own = scope.trx
    .selectFrom('connections')
    .where('organizationId', '=', scope.organizationId);
  const { total } = await own
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const items = await own
    .select(columns)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { items, total };
}

export async function findConnection(
  scope: OrganizationScope,
  id: string,
): Promise<ConnectionRecord | undefined> {
  return selectConnection(scope, id).executeTakeFirst();
}

/** Whether the connection exists; if so, it cannot be deleted until the transaction ends. */
export async function holdConnection(scope: OrganizationScope, id: string): Promise<boolean> {
  return (await selectConnection(scope, id).forKeyShare().executeTakeFirst()) !== undefined;
}

/** Encrypted, as stored. */
export async function findConnectionSecret(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<Buffer | null> {
  const row = await trx
    .selectFrom('connections')
    .select('secret')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.secret ?? null;
}

export async function lockConnection(
  scope: OrganizationScope,
  id: string,
): Promise<ConnectionRecord | undefined> {
  return selectConnection(scope, id).forUpdate().executeTakeFirst();
}

export async function insertConnection(
  scope: OrganizationScope,
  fields: ConnectionFields,
): Promise<string> {
  const { id } = await scope.trx
    .insertInto('connections')
    .values({ ...fields, organizationId: scope.organizationId, secret: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateConnection(
  scope: OrganizationScope,
  { id, ...fields }: ConnectionFields & { id: string },
): Promise<void> {
  await scope.trx
    .updateTable('connections')
    .set({ ...fields, updatedAt: sql`now()` })
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

export async function setConnectionSecret(
  scope: OrganizationScope,
  id: string,
  secret: Buffer | null,
): Promise<void> {
  await scope.trx
    .updateTable('connections')
    .set({ secret })
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

export async function deleteConnection(scope: OrganizationScope, id: string): Promise<void> {
  await scope.trx
    .deleteFrom('connections')
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

function selectConnection({ organizationId, trx }: OrganizationScope, id: string) {
  return trx
    .selectFrom('connections')
    .select(columns)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id);
}
