import type { ColumnType, Generated } from 'kysely';
import type { Role } from '@parley/protocol';

/** Set by PostgreSQL at insert and never written by us. */
type CreatedAt = ColumnType<Date, never, never>;

export type UserTable = {
  id: Generated<string>;
  email: string;
  name: Generated<string>;
  passwordHash: string | null;
  /** Counted up to end every session that the account has in the console. */
  sessionEpoch: Generated<number>;
  createdAt: CreatedAt;
};

/** An account in an organization. */
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
