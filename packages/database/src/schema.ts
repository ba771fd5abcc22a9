import type { ColumnType, Generated } from 'kysely';

/** The tables as Kysely sees them: camelCase here, snake_case in PostgreSQL. */
export type Schema = {
  organizations: OrganizationTable;
  users: UserTable;
  apiKeys: ApiKeyTable;
  connections: ConnectionTable;
  agents: AgentTable;
  agentSecrets: AgentSecretTable;
  conversations: ConversationTable;
  realtimeSessions: RealtimeSessionTable;
  auditLog: AuditLogTable;
  auditHeads: AuditHeadTable;
};

/** Set by PostgreSQL at insert and never written by us. */
type CreatedAt = ColumnType<Date, never, never>;
type Timestamp = ColumnType<Date, Date | undefined, Date>;
/** Written as text, read as the parsed value. */
type Json<T> = ColumnType<T, string, string>;

export type OrganizationTable = { id: Generated<string>; name: string; createdAt: CreatedAt };

export type UserTable = {
  id: Generated<string>;
  organizationId: string;
  email: string;
  passwordHash: string | null;
  createdAt: CreatedAt;
};

export type ApiKeyTable = {
  id: Generated<string>;
  organizationId: string;
  name: string;
  keyHash: Buffer;
  masked: string;
  scopes: string[];
  createdAt: CreatedAt;
  expiresAt: Date | null;
  lastUsedAt: ColumnType<Date | null, never, Date>;
  revokedAt: ColumnType<Date | null, never, Date>;
};

export type ConnectionTable = {
  id: Generated<string>;
  organizationId: string;
  name: string;
  kind: string;
  baseUrl: string | null;
  secret: Buffer | null;
  models: string[];
  realtime: boolean;
  enabled: boolean;
  createdAt: CreatedAt;
  updatedAt: Timestamp;
};

export type AgentTable = {
  id: Generated<string>;
  organizationId: string;
  name: string;
  description: string;
  systemMessage: string;
  connectionId: string | null;
  model: string | null;
  textModel: string | null;
  voice: string;
  icon: string | null;
  iconColor: string | null;
  imageUrl: string | null;
  realtimeEnabled: boolean;
  tools: Json<unknown[]>;
  createdAt: CreatedAt;
  updatedAt: Timestamp;
  deletedAt: ColumnType<Date | null, never, Date>;
};

export type AgentSecretTable = {
  agentId: string;
  organizationId: string;
  name: string;
  secret: Buffer;
};

export type ConversationTable = {
  id: Generated<string>;
  organizationId: string;
  agentId: string;
  createdAt: CreatedAt;
  updatedAt: Timestamp;
};

export type RealtimeSessionTable = {
  id: string;
  organizationId: string;
  agentId: string;
  conversationId: string;
  tokenHash: Buffer;
  startedAt: CreatedAt;
};

export type AuditLogTable = {
  organizationId: string;
  sequence: number;
  occurredAt: Date;
  actor: Json<unknown>;
  action: string;
  resourceType: string;
  resourceId: string | null;
  before: ColumnType<unknown, string | null, never>;
  after: ColumnType<unknown, string | null, never>;
  previousHash: Buffer;
  hash: Buffer;
};

export type AuditHeadTable = { organizationId: string; sequence: number; hash: Buffer };
