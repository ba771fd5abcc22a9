import type { ColumnType, Generated } from 'kysely';
import type { Approver, OutputModalities, Role, TaskStatus, TurnDetection } from '@parley/protocol';

/** The tables as Kysely sees them: camelCase here, snake_case in PostgreSQL. */
export type Schema = {
  organizations: OrganizationTable;
  users: UserTable;
  members: MemberTable;
  signInLinks: SignInLinkTable;
  apiKeys: ApiKeyTable;
  connections: ConnectionTable;
  agents: AgentTable;
  agentSecrets: AgentSecretTable;
  conversations: ConversationTable;
  conversationFiles: ConversationFileTable;
  realtimeSessions: RealtimeSessionTable;
  messages: MessageTable;
  toolCalls: ToolCallTable;
  usageRecords: UsageRecordTable;
  usageDays: UsageDayTable;
  organizationQuotas: OrganizationQuotaTable;
  runs: RunTable;
  tasks: TaskTable;
  temporaryFiles: TemporaryFileTable;
  temporaryFileChunks: TemporaryFileChunkTable;
  webhooks: WebhookTable;
  webhookDeliveries: WebhookDeliveryTable;
  auditLog: AuditLogTable;
  auditHeads: AuditHeadTable;
  idempotencyKeys: IdempotencyKeyTable;
};

/** Set by PostgreSQL at insert and never written by us. */
type CreatedAt = ColumnType<Date, never, never>;
type Timestamp = ColumnType<Date, Date | undefined, Date>;
/** Written as text, read as the parsed value. */
type Json<T> = ColumnType<T, string, string>;

export type OrganizationTable = {
  id: Generated<string>;
  name: string;
  /** Whether the audit log stores the arguments of approved and rejected tool calls. */
  auditArguments: Generated<boolean>;
  createdAt: CreatedAt;
  /** The row stays for the audit log. */
  deletedAt: ColumnType<Date | null, never, Date>;
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
  /** What realtime sessions try instead, in order. */
  fallbackConnectionIds: Generated<string[]>;
  model: string | null;
  textModel: string | null;
  voice: string;
  turnDetection: Generated<TurnDetection>;
  outputModalities: Generated<OutputModalities>;
  icon: string | null;
  iconColor: string | null;
  imageUrl: string | null;
  realtimeEnabled: boolean;
  tools: Json<unknown[]>;
  version: Generated<number>;
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
  /** Kept, or passing: it exists while a question is answered, and loses its words afterwards. */
  keeping: Generated<'kept' | 'passing' | 'forgotten'>;
  createdAt: CreatedAt;
  updatedAt: Timestamp;
};

/** The metadata of a file whose text an agent received. */
export type ConversationFileTable = {
  conversationId: string;
  organizationId: string;
  fileId: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  givenAt: CreatedAt;
};

export type RealtimeSessionTable = {
  id: string;
  organizationId: string;
  agentId: string;
  conversationId: string;
  /**
   * The API key or the member that created the session; both are null in rows older than these
   * columns.
   */
  keyId: string | null;
  memberId: ColumnType<string | null, string | null | undefined, never>;
  tokenHash: Buffer;
  startedAt: CreatedAt;
  endedAt: ColumnType<Date | null, never, Date>;
  endReason: ColumnType<string | null, never, string>;
  closeCode: ColumnType<number | null, never, number>;
  bytesFromClient: ColumnType<number | null, never, number>;
  bytesFromProvider: ColumnType<number | null, never, number>;
  /** What a resumable session was created with; null once it is over. */
  ticket: ColumnType<unknown, never, string | null>;
  /** When another pod took the session over. */
  movedAt: ColumnType<Date | null, never, Date>;
  /** The session that continues it. */
  movedTo: ColumnType<string | null, never, string>;
  /** When the first of the sessions began that this one continues; null if it continues none. */
  beganAt: ColumnType<Date | null, never, Date>;
};

export type MessageTable = {
  id: Generated<string>;
  organizationId: string;
  conversationId: string;
  sessionId: string | null;
  /** Orders a conversation's messages as they were spoken, whenever they were written. */
  position: number;
  role: 'user' | 'assistant' | 'tool';
  content: string;
  /** 'client' if the client wrote it in the agent's name. */
  author: ColumnType<'client' | null, 'client' | null | undefined, never>;
  status: string;
  itemId: string | null;
  contentIndex: Generated<number>;
  interrupted: Generated<boolean>;
  audioEndMs: number | null;
  usage: ColumnType<unknown, string | null, string | null>;
  createdAt: Timestamp;
};

export type ToolCallTable = {
  id: Generated<string>;
  organizationId: string;
  conversationId: string;
  sessionId: string | null;
  /** The suspended question to which the call belongs. */
  runId: string | null;
  /** The sub-agent call inside which this one was made. */
  parentId: string | null;
  /** The agent whose tool it is. */
  agentId: string;
  messageId: string | null;
  callId: string;
  /** The id of its item at the provider. */
  itemId: ColumnType<string | null, string | null | undefined, never>;
  name: string;
  arguments: Json<unknown>;
  /** The number of its ToolCallStatus. */
  status: number;
  approval: 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled' | null;
  /** Who may decide. */
  approvers: Generated<Approver[]>;
  /** The end of the time to decide, by PostgreSQL's clock. */
  deadline: Date | null;
  /** The pod to notify of the decision. */
  owner: string | null;
  decidedBy: ColumnType<unknown, string | null, string | null>;
  decidedAt: Date | null;
  result: ColumnType<unknown, string | null, string | null>;
  executionMs: number | null;
  createdAt: Timestamp;
  /** Set once, by whoever runs the tool. */
  startedAt: Date | null;
  /** How far its sub-agent has got, which waits for approval; null while somebody works on it. */
  suspended: ColumnType<unknown, never, string | null>;
  finishedAt: Date | null;
};

/**
 * What a response or a transcription cost: one row per provider id, however often it is announced.
 */
export type UsageRecordTable = {
  organizationId: string;
  conversationId: string;
  /** The session or question that it was spent in. */
  sessionId: string | null;
  runId: string | null;
  source: 'response' | 'transcription';
  sourceId: string;
  model: string;
  inputTextTokens: Generated<number>;
  inputAudioTokens: Generated<number>;
  inputCachedTokens: Generated<number>;
  outputTextTokens: Generated<number>;
  outputAudioTokens: Generated<number>;
  seconds: Generated<number>;
  createdAt: CreatedAt;
};

export type UsageDayTable = { organizationId: string; day: Date; tokens: number };

export type OrganizationQuotaTable = { organizationId: string; quota: string; value: number };

export type RunTable = {
  /** The id of the answer's message, once it exists. */
  id: string;
  organizationId: string;
  agentId: string;
  conversationId: string;
  /** The API key or the member that asked; both are null in rows older than these columns. */
  keyId: string | null;
  memberId: ColumnType<string | null, string | null | undefined, never>;
  state: 'open' | 'waiting' | 'answered' | 'failed';
  /**
   * The progress; once the question is over, the calls handed to the caller's own tools, if any.
   */
  run: ColumnType<unknown, string, string | null>;
  /** Why there is no answer. */
  failure: ColumnType<string | null, never, string | null>;
  /** Approvals that it needs to continue. */
  waitingFor: ColumnType<string[], never, string[]>;
  /** The pod whose caller waits for the answer. */
  watcher: string | null;
  /** Who advances it now, and until when nobody else may. */
  owner: string | null;
  leaseUntil: ColumnType<Date | null, Date, Date | null>;
  /** How often it was found without its owner. */
  takeovers: Generated<number>;
  createdAt: CreatedAt;
  updatedAt: Timestamp;
};

export type TaskTable = {
  id: Generated<string>;
  organizationId: string;
  title: string;
  description: string;
  status: TaskStatus;
  dueAt: Date | null;
  agentId: string | null;
  conversationId: string | null;
  externalId: string | null;
  metadata: Json<unknown>;
  /** Conversations in which an agent wrote its title or description. */
  writtenIn: Generated<string[]>;
  version: Generated<number>;
  createdAt: CreatedAt;
  updatedAt: Timestamp;
};

export type TemporaryFileTable = {
  id: Generated<string>;
  organizationId: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  extractedText: ColumnType<string | null, never, string>;
  characters: Generated<number>;
  textTruncated: Generated<boolean>;
  storage: 'postgres' | 's3';
  createdAt: CreatedAt;
  /** Null until all bytes are uploaded. */
  uploadedAt: ColumnType<Date | null, never, Date>;
  expiresAt: Date;
};

export type TemporaryFileChunkTable = {
  fileId: string;
  organizationId: string;
  position: number;
  bytes: Buffer;
};

export type WebhookTable = {
  id: Generated<string>;
  organizationId: string;
  url: string;
  events: string[];
  secret: Buffer;
  enabled: boolean;
  createdAt: CreatedAt;
  updatedAt: Timestamp;
};

export type WebhookDeliveryTable = {
  id: Generated<string>;
  organizationId: string;
  webhookId: string;
  event: string;
  /** The exact body that every attempt sends. */
  body: string;
  attempts: Generated<number>;
  /** Null if it was delivered or given up. */
  nextAttemptAt: ColumnType<Date | null, never, Date | null>;
  deliveredAt: ColumnType<Date | null, never, Date | null>;
  lastStatus: ColumnType<number | null, never, number | null>;
  lastError: ColumnType<string | null, never, string | null>;
  createdAt: CreatedAt;
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

export type IdempotencyKeyTable = {
  organizationId: string;
  key: string;
  fingerprint: Buffer;
  claim: string;
  claimedUntil: Date;
  answer: Buffer | null;
  /** The conversation that the response refers to. */
  conversationId: ColumnType<string | null, never, string | null>;
  /** The response was deleted with its conversation. */
  forgotten: Generated<boolean>;
  createdAt: Generated<Date>;
};

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
