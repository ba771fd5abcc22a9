import { sql } from 'kysely';
import type { Role } from '@parley/protocol';
import type { SystemScope } from '../postgres/database.js';
import { emailSpelling } from './email-spelling.js';

/** A person who signs in, in any number of organizations. */
export type Account = {
  id: string;
  email: string;
  name: string;
  /** A console session ends once this has changed. */
  sessionEpoch: number;
  /** Oldest first, without those in deleted organizations. */
  memberships: Membership[];
};

export type Membership = {
  id: string;
  role: Role;
  organizationId: string;
  organizationName: string;
};

/** How addresses are found: one owner has all spellings. The column's collation lowers only ASCII. */
export const sameEmail = (email: string) => sql<boolean>`lower(email) = ${emailSpelling(email)}`;

/** The account of an address, created if there is none. Without a membership it can do nothing. */
export async function obtainUser(
  { trx }: SystemScope,
  { email, name }: { email: string; name: string },
): Promise<string> {
  const made = await trx
    .insertInto('users')
    .values({ email, name, passwordHash: null })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made) return made.id;
  const found = trx.selectFrom('users').select('id').where(sameEmail(email));
  return (await found.executeTakeFirstOrThrow()).id;
}

export async function findAccount({ trx }: SystemScope, id: string): Promise<Account | undefined> {
  const user = await trx
    .selectFrom('users')
    .select(['id', 'email', 'name', 'sessionEpoch'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!user) return undefined;
  const memberships = await trx
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organizationId')
    .select([
      'members.id',
      'members.role',
      'members.organizationId',
      'organizations.name as organizationName',
    ])
    .where('members.userId', '=', id)
    .where('organizations.deletedAt', 'is', null)
    .orderBy('members.createdAt')
    .orderBy('members.id')
    .execute();
  return { ...user, memberships };
}

/** Undefined if no account has the address; the hash is null if it has no password. */
export async function findPassword(
  { trx }: SystemScope,
  email: string,
): Promise<{ id: string; passwordHash: string | null } | undefined> {
  return trx
    .selectFrom('users')
    .select(['id', 'passwordHash'])
    .where(sameEmail(email))
    .executeTakeFirst();
}

/** Whoever is signed in with this account has to sign in again. */
export async function setPassword(
  { trx }: SystemScope,
  { id, passwordHash }: { id: string; passwordHash: string },
): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({ passwordHash, sessionEpoch: eb('sessionEpoch', '+', 1) }))
    .where('id', '=', id)
    .execute();
}
