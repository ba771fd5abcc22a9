import type { Selectable } from 'kysely';
import type { SystemScope } from './database.js';
import type { OrganizationTable } from './schema.js';

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

export async function findOrganization(
  { trx }: SystemScope,
  id: string,
): Promise<OrganizationRecord | undefined> {
  return trx.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function listOrganizations({ trx }: SystemScope): Promise<OrganizationRecord[]> {
  return trx.selectFrom('organizations').selectAll().orderBy('createdAt').orderBy('id').execute();
}
