import type { ColumnType, Generated } from 'kysely';
import type { Role } from '@parley/protocol';

/** Set by PostgreSQL on insert, never by us. */
type CreatedAt = ColumnType<Date, never, never>;

export type UserTable = {
  id: Generated<string>;
  email: string;
  name: Generated<string>;
  passwordHash: string | null;
  /** Incremented to end all of the account's sessions in the console. */
  sessionEpoch: Generated<number>;
  createdAt: CreatedAt;
};

/** An account's membership in an organization. */
export type MemberTable = {
  id: Generated<string>;
  organizationId: string;
  userId: string;
  role: Role;
  createdAt: CreatedAt;
};

export type SignInLinkTable = {
  tokenHash: Buffer;
  organizationId: string;
  memberId: string;
  createdAt: CreatedAt;
  expiresAt: Date;
  usedAt: ColumnType<Date | null, never, Date>;
};
