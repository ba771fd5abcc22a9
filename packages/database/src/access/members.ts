import type { Role } from '@parley/protocol';
import type { OrganizationScope } from '../postgres/database.js';
import { countRows, pageIds, type PageOf, type PageRequest } from '../postgres/page.js';
import { sameEmail } from './users.js';

/**
 * An account in an organization, under its own id: a member who was removed and returns is a new
 * member.
 */
export type MemberRecord = {
  id: string;
  userId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
};

const columns = [
  'members.id',
  'members.userId',
  'users.email',
  'users.name',
  'members.role',
  'members.createdAt',
] as const;

export async function listMembers(
  scope: OrganizationScope,
  page: PageRequest,
): Promise<PageOf<MemberRecord>> {
  const all = scope.trx
    .selectFrom('members')
    .where('members.organizationId', '=', scope.organizationId);
  const total = await countRows(all);
  const ids = pageIds(all, { orderedBy: 'createdAt', total, ...page });
  const items = await membersOf(scope)
    .select(columns)
    .where('members.id', 'in', ids)
    .orderBy('members.createdAt')
    .orderBy('members.id')
    .execute();
  return { items, total };
}

export async function findMember(
  scope: OrganizationScope,
  id: string,
): Promise<MemberRecord | undefined> {
  return membersOf(scope).select(columns).where('members.id', '=', id).executeTakeFirst();
}

export async function findMemberByEmail(
  scope: OrganizationScope,
  email: string,
): Promise<MemberRecord | undefined> {
  return membersOf(scope).select(columns).where(sameEmail(email)).executeTakeFirst();
}

/** Undefined if the account is already a member. */
export async function insertMember(
  { organizationId, trx }: OrganizationScope,
  member: { userId: string; role: Role },
): Promise<string | undefined> {
  const made = await trx
    .insertInto('members')
    .values({ ...member, organizationId })
    .onConflict((conflict) => conflict.constraint('members_user').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id;
}

/**
 * The ids of all owners. None of them can change before the transaction ends, so that there is
 * always one left.
 */
export async function lockOwners({ organizationId, trx }: OrganizationScope): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('members')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function findOldestOwner({
  organizationId,
  trx,
}: OrganizationScope): Promise<string | undefined> {
  const oldest = await trx
    .selectFrom('members')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .orderBy('createdAt')
    .orderBy('id')
    .executeTakeFirst();
  return oldest?.id;
}

export async function updateMember(
  { organizationId, trx }: OrganizationScope,
  { id, role }: { id: string; role: Role },
): Promise<void> {
  await trx
    .updateTable('members')
    .set({ role })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Deletes the account, too, if this was its last organization. */
export async function deleteMember(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<void> {
  await trx
    .deleteFrom('members')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

function membersOf({ organizationId, trx }: OrganizationScope) {
  return trx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .where('members.organizationId', '=', organizationId);
}
