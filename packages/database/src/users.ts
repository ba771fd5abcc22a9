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
