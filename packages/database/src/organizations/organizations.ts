import type { Selectable } from 'kysely';
import type { SystemScope } from '../postgres/database.js';
import type { OrganizationTable } from '../postgres/schema.js';

export type OrganizationRecord = Selectable<OrganizationTable>;

export async function insertOrganization(
  { trx }: SystemScope,
  organization: { id?: string; name: string },
): Promise<OrganizationRecord> {
  return trx
    .insertInto('organizations')
    .values(organization)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Only organizations that were not deleted. */
export async function findOrganization(
  system: SystemScope,
  id: string,
): Promise<OrganizationRecord | undefined> {
  const record = await findOrganizationRecord(system, id);
  return record?.deletedAt ? undefined : record;
}

/** Including deleted organizations, whose audit log is kept. */
export async function findOrganizationRecord(
  { trx }: SystemScope,
  id: string,
): Promise<OrganizationRecord | undefined> {
  return trx.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Undefined if there is no such organization. */
export async function updateOrganization(
  { trx }: SystemScope,
  id: string,
  changes: { auditArguments: boolean },
): Promise<OrganizationRecord | undefined> {
  return trx
    .updateTable('organizations')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** In a fixed order, for iterating over all of them. */
export async function nextOrganizationId(
  { trx }: SystemScope,
  after: string | null,
): Promise<string | undefined> {
  const next = await trx
    .selectFrom('organizations')
    .select('id')
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return next?.id;
}

export async function listOrganizations({ trx }: SystemScope): Promise<OrganizationRecord[]> {
  return trx.selectFrom('organizations').selectAll().orderBy('createdAt').orderBy('id').execute();
}
