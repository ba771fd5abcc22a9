export {
  connectDatabase,
  type Database,
  type OrganizationScope,
  type SystemScope,
  type Transactor,
} from './postgres/database.js';
export type { Announced } from './webhooks/announced.js';
export {
  holdQuota,
  quotaLimits,
  quotaOverrides,
  quotaUse,
  setQuotas,
  withoutTokens,
} from './organizations/quotas.js';
export { Turns } from './postgres/turns.js';
export { migrate } from './postgres/migrate.js';
export { isSchemaBehind } from './postgres/schema-behind.js';
export { canonicalJson } from './audit/canonical-json.js';
export {
  isDatabaseAway,
  isDatabaseUnavailable,
  isStatementTimeout,
  violatedConstraint,
} from './postgres/availability.js';
export {
  createSecretBox,
  secretContext,
  SecretUnreadable,
  type SecretBox,
} from './secrets/secret-box.js';
export { resealSecrets, type ResealReport } from './secrets/reseal-secrets.js';
export { appendAudit, recordChange, type Change } from './audit/audit.js';
export {
  closeOrganization,
  deleteOrganizationData,
  exportOrganization,
} from './organizations/organization-deletion.js';
export {
  chainStart,
  verifyAudit,
  verifyNext,
  type AuditVerdict,
  type ChainPosition,
} from './audit/verify-audit.js';
export { cancelRun, runsOfUnusableOpeners } from './access/revocation.js';
export { isOpenerUsable, unusableOpeners, type OpenedBy } from './access/openers.js';
export type { Actor } from '@parley/protocol';
export {
  auditRange,
  lastAuditSequence,
  auditBySequences,
  listAudit,
  nextAudit,
  type AuditFilter,
  type AuditRange,
  type AuditRecord,
} from './audit/audit-records.js';
export {
  agentById,
  callersOfAgent,
  changeAgentSecrets,
  deleteAgent,
  findAgent,
  findIssuableAgent,
  findSubagents,
  hasAgent,
  holdAgents,
  insertAgent,
  issuableAgentById,
  agentsByIds,
  nameAgents,
  lockAgent,
  lockAgentToDelete,
  readAgents,
  updateAgent,
  usersOfConnection,
  type AgentFields,
  type AgentRecord,
  type IssuableAgent,
  type Subagent,
} from './agents/agents.js';
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
} from './agents/connections.js';
export {
  findOrganization,
  findOrganizationRecord,
  insertOrganization,
  listOrganizations,
  nextOrganizationId,
  updateOrganization,
  type OrganizationRecord,
} from './organizations/organizations.js';
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
} from './access/api-keys.js';
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
} from './questions/runs.js';
export { finishRun } from './questions/run-endings.js';
export { callsOfRun, pastOf, pastOfSession, type Past } from './conversations/past.js';
export { forgetWords, stalePassingConversations } from './conversations/passing-conversations.js';
export { deleteConversations } from './conversations/delete-conversations.js';
export {
  filesOfConversation,
  noteGivenFiles,
  type ConversationFileRecord,
} from './conversations/conversation-files.js';
export {
  findConversation,
  insertConversation,
  isAgentGone,
  listConversations,
  lockConversation,
  openConversation,
  outcomeOf,
  touchConversations,
  type ConversationRecord,
  type CountedConversation,
} from './conversations/conversations.js';
export type { ConversationFilter } from './conversations/conversation-filter.js';
export {
  sessionsOfConversation,
  type ConversationSession,
  type ModelUsage,
} from './conversations/conversation-sessions.js';
export {
  countMessages,
  listMessages,
  messagesByIds,
  nextMessages,
  type MessagePlace,
  type MessageRecord,
  type ToolCallRecord,
} from './conversations/list-messages.js';
export {
  auditedTask,
  createTask,
  deleteTask,
  findTask,
  listTasks,
  lockTask,
  nextTasks,
  tasksByIds,
  taskExternalId,
  taskLinkErrors,
  updateTask,
  type TaskFields,
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
  type KeyRequest,
} from './questions/idempotency.js';
export {
  closeLostSessions,
  deleteStaleConversations,
  endLostSession,
  endUnclaimedSessions,
  organizationsWithStaleConversations,
  sessionsWithOpenCalls,
} from './conversations/retention.js';
export {
  forbidTakeOver,
  keepTicket,
  takeOverSession,
  announceRealtimeSession,
  endRealtimeSession,
  refuseRealtimeSession,
  startRealtimeSession,
  isResumableSession,
  isTokenUsed,
  type RefusedSession,
} from './conversations/realtime-sessions.js';
export { insertMessages, searchMessages } from './conversations/messages.js';
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
} from './webhooks/webhooks.js';
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
} from './webhooks/webhook-deliveries.js';
export {
  approvalBacklog,
  approvalsByIds,
  findApprovals,
  listApprovals,
  nextApprovals,
  waitingAmong,
  type ApprovalRecord,
  type WaitingApproval,
} from './calls/approvals.js';
export {
  decideToolCall,
  expireDueApprovals,
  openApproval,
  type ApprovalRequest,
  type DecidedCall,
  type FinalApproval,
} from './calls/approval-decisions.js';
export { adoptSessionCalls, type AdoptedCall } from './calls/adopt-calls.js';
export { cancelSessionCalls } from './calls/cancel-calls.js';
export type { JournalLimits, Outcome } from './journal/journal.js';
export type { RecordChange } from './journal/record-changes.js';
export {
  openRecordJournal,
  type ChangeHolder,
  type RecordJournal,
  type SettledChange,
} from './journal/record-journal.js';
export {
  claimToolCall,
  findToolCall,
  recordToolCall,
  resumeToolCall,
  suspendToolCall,
  type CallOf,
  type NewToolCall,
  type StoredToolCall,
} from './calls/tool-calls.js';
export { usageOverTime, type UsageRange } from './organizations/usage-over-time.js';
export { insertUsage, usageOfRun, type TokenCounts } from './organizations/usage.js';
export {
  bootstrapOrganization,
  createKey,
  createOrganization,
  obtainOwner,
  type Bootstrap,
} from './organizations/bootstrap.js';
export {
  deleteMember,
  findMember,
  findMemberByEmail,
  insertMember,
  listMembers,
  lockOwners,
  updateMember,
  type MemberRecord,
} from './access/members.js';
export {
  findAccount,
  findPassword,
  obtainUser,
  setPassword,
  type Account,
  type Membership,
} from './access/users.js';
export { emailSpelling } from './access/email-spelling.js';
export { hashPassword, verifyPassword } from './access/password.js';
export {
  issueSignInLink,
  redeemSignInLink,
  signInUrl,
  type LinkOutcome,
  type SignInLink,
} from './access/sign-in-links.js';
export {
  abandonUpload,
  beginUpload,
  deleteFileRows,
  expireAgain,
  expiredFiles,
  expireFile,
  fileStorages,
  findFile,
  listFiles,
  finishUpload,
  loadFileTexts,
  type FileText,
  missingFiles,
  type FileRecord,
  type FileStorage,
  type StoredFile,
} from './files/temporary-files.js';
export { deleteFileChunks, findFileChunk, insertFileChunk } from './files/file-chunks.js';
export {
  findSealedAgent,
  holdAdmissibleAgent,
  type AdmissibleAgent,
  type RunnableAgent,
  type SealedAgent,
  type SealedConnection,
} from './agents/sealed-agents.js';
