export {
  connectDatabase,
  type Database,
  type DatabaseOptions,
  type OrganizationScope,
  type SystemScope,
  type Transactor,
} from './database.js';
export type { Announced } from './announced.js';
export {
  holdQuota,
  quotaLimits,
  quotaOverrides,
  quotaUse,
  setQuotas,
  withoutTokens,
} from './quotas.js';
export { Turns, type TurnLimits } from './turns.js';
export { migrate } from './migrate.js';
export { canonicalJson } from './canonical-json.js';
export { isDatabaseUnavailable, violatedConstraint } from './availability.js';
export { createSecretBox, secretContext, SecretUnreadable, type SecretBox } from './secret-box.js';
export {
  resealSecrets,
  type ResealCounts,
  type ResealOptions,
  type ResealReport,
  type SealedKind,
} from './reseal-secrets.js';
export { appendAudit, recordChange, type AuditEntry, type Change } from './audit.js';
export {
  closeOrganization,
  deleteOrganizationData,
  exportOrganization,
} from './organization-deletion.js';
export {
  chainStart,
  verifyAudit,
  verifyNext,
  type AuditVerdict,
  type ChainPosition,
  type ChainStep,
} from './verify-audit.js';
export { cancelRun, runsOfUnusableOpeners, type RevokedRun } from './revocation.js';
export { isOpenerUsable, unusableOpeners, type OpenedBy } from './openers.js';
export type { Actor } from '@parley/protocol';
export {
  lastAuditSequence,
  listAudit,
  nextAudit,
  type AuditFilter,
  type AuditRange,
  type AuditRecord,
} from './audit-records.js';
export {
  agentById,
  callersOfAgent,
  changeAgentSecrets,
  deleteAgent,
  findAgent,
  findAgentSecrets,
  findIssuableAgent,
  holdAgents,
  insertAgent,
  issuableAgentById,
  listAgents,
  lockAgent,
  lockAgentToDelete,
  updateAgent,
  usersOfConnection,
  type AgentFields,
  type AgentRecord,
  type IssuableAgent,
} from './agents.js';
export {
  deleteConnection,
  findConnection,
  findConnectionSecret,
  holdConnection,
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
  findOrganizationRecord,
  insertOrganization,
  listOrganizations,
  nextOrganizationId,
  updateOrganization,
  type OrganizationRecord,
} from './organizations.js';
export {
  findApiKey,
  findApiKeyByHash,
  findPresentedKey,
  insertApiKey,
  listApiKeyPage,
  listApiKeys,
  lockApiKey,
  revokeApiKey,
  updateApiKey,
  type ApiKeyRecord,
  type NewApiKey,
  type PresentedKey,
} from './api-keys.js';
export {
  checkpointRun,
  claimRun,
  dueRuns,
  organizationOfRun,
  findAnswer,
  findRun,
  insertRun,
  isRunDue,
  renewRun,
  suspendRun,
  waitingCallsOfRun,
  type LeasedRun,
  type NewRun,
  type RunRecord,
  type WaitingRunCall,
} from './runs.js';
export { finishRun, type RunOutcome } from './run-endings.js';
export { callsOfRun, pastOf, type Past } from './past.js';
export {
  forgetWords,
  stalePassingConversations,
  type PassingConversation,
} from './passing-conversations.js';
export { deleteConversations } from './delete-conversations.js';
export {
  filesOfConversation,
  noteGivenFiles,
  type ConversationFileRecord,
} from './conversation-files.js';
export {
  findConversation,
  holdConversation,
  insertConversation,
  isAgentGone,
  listConversations,
  lockConversation,
  openConversation,
  outcomeOf,
  touchConversations,
  type ConversationRecord,
  type CountedConversation,
} from './conversations.js';
export type { ConversationFilter } from './conversation-filter.js';
export {
  sessionsOfConversation,
  type ConversationSession,
  type ModelUsage,
} from './conversation-sessions.js';
export {
  countMessages,
  listMessages,
  nextMessages,
  type MessagePlace,
  type MessageRecord,
  type PlacedRecord,
  type ToolCallRecord,
} from './list-messages.js';
export {
  auditedTask,
  createTask,
  deleteTask,
  findTask,
  findTaskByExternalId,
  listTasks,
  lockTask,
  nextTasks,
  taskExternalId,
  taskLinkErrors,
  updateTask,
  type TaskFields,
  type TaskFilter,
  type TaskLinks,
  type TaskRecord,
  type TaskWriter,
} from './tasks.js';
export {
  claimKey,
  claimRenewalMs,
  deleteForgottenKeys,
  keepAnswer,
  releaseKey,
  renewClaim,
  type ClaimedKey,
  type KeyClaim,
  type KeyRequest,
  type KeptAnswer,
} from './idempotency.js';
export {
  closeLostSessions,
  deleteStaleConversations,
  endLostSession,
  organizationsWithStaleConversations,
  sessionsWithOpenCalls,
} from './retention.js';
export {
  announceRealtimeSession,
  endRealtimeSession,
  startRealtimeSession,
  type RealtimeSessionEnd,
  type RealtimeSessionStart,
} from './realtime-sessions.js';
export {
  amendMessages,
  insertMessages,
  searchMessages,
  type MessageChange,
  type NewMessage,
} from './messages.js';
export {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  maxWebhooks,
  updateWebhook,
  type WebhookFields,
  type WebhookRecord,
} from './webhooks.js';
export {
  announceEvent,
  deleteOldDeliveries,
  deliveriesOverdueSeconds,
  listDeliveries,
  lockDelivery,
  recordDelivery,
  redeliver,
  takeDueDeliveries,
  type DeliveryOfWebhook,
  type DeliveryRecord,
  type DeliveryResult,
  type DueDelivery,
} from './webhook-deliveries.js';
export {
  approvalBacklog,
  findApprovals,
  listApprovals,
  nextApprovals,
  waitingAmong,
  type ApprovalFilter,
  type ApprovalRecord,
  type WaitingApproval,
} from './approvals.js';
export {
  decideToolCall,
  expireDueApprovals,
  openApproval,
  type ApprovalRequest,
  type DecidedCall,
  type FinalApproval,
} from './approval-decisions.js';
export { cancelRunCalls, cancelSessionCalls } from './cancel-calls.js';
export type { JournalLimits, Outcome } from './journal.js';
export type { RecordChange } from './record-changes.js';
export {
  openRecordJournal,
  type ChangeHolder,
  type RecordJournal,
  type RecordJournalOptions,
  type SettledChange,
} from './record-journal.js';
export {
  claimToolCall,
  findToolCall,
  finishToolCall,
  recordToolCall,
  type NewToolCall,
  type StoredToolCall,
  type ToolCallEnd,
} from './tool-calls.js';
export { usageOverTime, type IntervalUsage, type UsageRange } from './usage-over-time.js';
export { insertUsage, usageOfRun, type NewUsage, type TokenCounts } from './usage.js';
export {
  bootstrapOrganization,
  createKey,
  createOrganization,
  obtainOwner,
  type Bootstrap,
} from './bootstrap.js';
export {
  deleteMember,
  findMember,
  findMemberByEmail,
  insertMember,
  listMembers,
  lockOwners,
  updateMember,
  type MemberRecord,
} from './members.js';
export {
  findAccount,
  findPassword,
  obtainUser,
  setPassword,
  type Account,
  type Membership,
} from './users.js';
export { hashPassword, verifyPassword } from './password.js';
export {
  issueSignInLink,
  redeemSignInLink,
  signInUrl,
  type LinkOutcome,
  type SignInLink,
} from './sign-in-links.js';
export {
  abandonUpload,
  beginUpload,
  deleteFileRows,
  expiredFiles,
  expireFile,
  findFile,
  listFiles,
  finishUpload,
  loadFileContext,
  missingFiles,
  type FileRecord,
  type FileStorage,
  type LoadedFileContext,
  type StoredFile,
  type UploadedFile,
} from './temporary-files.js';
export { deleteFileChunks, findFileChunk, insertFileChunk, type FileChunk } from './file-chunks.js';
export type { PageOf, PageRequest } from './page.js';
