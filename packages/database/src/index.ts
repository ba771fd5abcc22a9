export {
  connectDatabase,
  type Database,
  type DatabaseOptions,
  type OrganizationScope,
  type SystemScope,
} from './database.js';
export { migrate } from './migrate.js';
export { isDatabaseUnavailable, violatedConstraint } from './availability.js';
export { createSecretBox, secretContext, SecretUnreadable, type SecretBox } from './secret-box.js';
export { canonicalJson } from './canonical-json.js';
export {
  appendAudit,
  verifyAudit,
  type Actor,
  type AuditEntry,
  type AuditVerdict,
} from './audit.js';
export {
  callersOfAgent,
  changeAgentSecrets,
  deleteAgent,
  existingAgents,
  findAgent,
  insertAgent,
  listAgents,
  lockAgent,
  updateAgent,
  usersOfConnection,
  type AgentFields,
  type AgentRecord,
} from './agents.js';
export {
  deleteConnection,
  findConnection,
  findConnectionSecret,
  insertConnection,
  listConnections,
  lockConnection,
  setConnectionSecret,
  updateConnection,
  type ConnectionFields,
  type ConnectionRecord,
} from './connections.js';
export {
  findOrganization,
  insertOrganization,
  listOrganizations,
  type OrganizationRecord,
} from './organizations.js';
export {
  findApiKey,
  findApiKeyByHash,
  insertApiKey,
  listApiKeys,
  noteApiKeyUse,
  revokeApiKey,
  type ApiKeyRecord,
  type NewApiKey,
} from './api-keys.js';
export { findConversation, insertConversation, type ConversationRecord } from './conversations.js';
export {
  endRealtimeSession,
  startRealtimeSession,
  type RealtimeSessionEnd,
  type RealtimeSessionStart,
} from './realtime-sessions.js';
export {
  amendMessages,
  insertMessages,
  latestMessages,
  type MessageChange,
  type NewMessage,
  type PlacedMessage,
} from './messages.js';
export { finishedToolCalls, type FinishedToolCall } from './finished-tool-calls.js';
export { insertUsage, type NewUsage, type TokenCounts } from './usage.js';
export { bootstrapOrganization, type Bootstrap } from './bootstrap.js';
export { insertUser, type UserRecord } from './users.js';
export type { PageOf, PageRequest } from './page.js';
