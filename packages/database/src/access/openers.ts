import { sql } from 'kysely';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';

/**
 * Who opened a session or asked a question: an API key or a member of the organization. What they
 * opened ends with them: when the key is revoked or expires, when the member is removed, and when
 * the organization is deleted. Only PostgreSQL decides this, so that everybody who checks every few
 * seconds finds out, whoever made the change and whatever else is down.
 */
export type OpenedBy = { readonly keyId: string | null; readonly memberId?: string | null };

const isOpen = (table: 'api_keys' | 'members') => sql<boolean>`exists (
  select from organizations o
  where o.id = ${sql.ref(`${table}.organization_id`)} and o.deleted_at is null)`;
const usableKey = sql<boolean>`(
  revoked_at is null and coalesce(expires_at > now(), true) and ${isOpen('api_keys')})`;
const usableMember = isOpen('members');

/**
 * Whether the opener of a row is no longer allowed, under the query's name for the table. Without
 * an opener, nothing ends.
 */
export function openerIsOver(table: string) {
  const [keyId, memberId] = [sql.ref(`${table}.keyId`), sql.ref(`${table}.memberId`)];
  return sql<boolean>`(
    exists (select from api_keys where api_keys.id = ${keyId} and not ${usableKey})
    or ${memberId} is not null
      and not exists (select from members where members.id = ${memberId} and ${usableMember}))`;
}

/** Whether this key or member may open something now. */
export async function isOpenerUsable(
  { organizationId, trx }: OrganizationScope,
  { keyId, memberId = null }: OpenedBy,
): Promise<boolean> {
  const usable = usableOpener(organizationId, { keyId, memberId }).as('usable');
  const { rows } = await sql<{ usable: boolean }>`select ${usable}`.execute(trx);
  return rows[0]?.usable ?? false;
}

/** The same, as a part of a query. */
export function usableOpener(organizationId: string, { keyId, memberId }: Required<OpenedBy>) {
  return sql<boolean>`(
    exists (select from api_keys
      where organization_id = ${organizationId} and id = ${keyId} and ${usableKey})
    or exists (select from members
      where organization_id = ${organizationId} and id = ${memberId} and ${usableMember}))`;
}

/**
 * Which of these keys and members may no longer open anything, because they were revoked, expired,
 * removed or deleted.
 */
export async function unusableOpeners(
  { trx }: SystemScope,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from api_keys where id = any(${ids}::uuid[]) and ${usableKey}
    union all
    select id from members where id = any(${ids}::uuid[]) and ${usableMember}`.execute(trx);
  const unusable = new Set(ids);
  for (const { id } of rows) unusable.delete(id);
  return unusable;
}
