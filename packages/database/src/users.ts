import type { Selectable } from 'kysely';
import type { SystemScope } from './database.js';
import type { UserTable } from './schema.js';

export type UserRecord = Omit<Selectable<UserTable>, 'passwordHash'>;

export async function insertUser(
  { trx }: SystemScope,
  user: { organizationId: string; email: string; passwordHash: string | null },
): Promise<UserRecord> {
  return trx
    .insertInto('users')
    .values(user)
    .returning(['id', 'organizationId', 'email', 'createdAt'])
    .executeTakeFirstOrThrow();
}

/** Undefined where the organization has no such user. */
export async function deleteUser(
  { trx }: SystemScope,
  { organizationId, email }: { organizationId: string; email: string },
): Promise<UserRecord | undefined> {
  return trx
    .deleteFrom('users')
    .where('organizationId', '=', organizationId)
    .where(({ eb, fn }) =>
      eb(fn<string>('lower', ['email']), '=', fn<string>('lower', [eb.val(email)])),
    )
    .returning(['id', 'organizationId', 'email', 'createdAt'])
    .executeTakeFirst();
}
