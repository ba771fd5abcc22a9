import { sql } from 'kysely';
import type { OrganizationScope, SystemScope } from './database.js';

/**
 * Who has opened a session or asked a question: an API key or a member of the organization. What they opened ends with them: when the key is
 * revoked or expires, when the member is removed, and when the organization is deleted. The record alone tells, so that everybody who looks
 * every few seconds learns of it, whoever made the change and whatever else is down.
 */
export type OpenedBy = { readonly keyId: string | null; readonly memberId?: string | null };

const usableKey = sql<boolean>`(revoked_at is null and coalesce(expires_at > now(), true))`;
const usableMember = sql<boolean>`exists (
  select from organizations o where o.id = members.organization_id and o.deleted_at is null)`;

/** Of a row, under the name that a query gives to its table, whether who opened it may not any more. Where nobody is named, nothing is over. */
export function openerIsOver(table: string) {
  const [keyId, memberId] = [sql.ref(`${table}.keyId`), sql.ref(`${table}.memberId`)];
  return sql<boolean>`(
    exists (select from api_keys where api_keys.id = ${keyId} and not ${usableKey})
    or ${memberId} is not null
      and not exists (select from members where members.id = ${memberId} and ${usableMember}))`;
}

/** Whether what this key or this member opens may be opened now. */
export async function isOpenerUsable(
  { organizationId, trx }: OrganizationScope,
  { keyId, memberId = null }: OpenedBy,
): Promise<boolean> {
  const { rows } = await sql`
    select id from api_keys
    where organization_id = ${organizationId} and id = ${keyId} and ${usableKey}
    union all
    select id from members
    where organization_id = ${organizationId} and id = ${memberId} and ${usableMember}`.execute(
    trx,
  );
  return rows.length > 0;
}

/** Which of these keys and members may open nothing any more, because they were revoked, have expired, were removed or are gone. */
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
