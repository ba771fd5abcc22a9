export type { Actor } from './actor.js';
export { auditActions, type AuditAction } from './audit-actions.js';
export { closeCodes, failedEnds, handedOverEnd, type CloseName } from './close-codes.js';
export { errorLimits, Problem, problems, type FieldError, type ProblemCode } from './errors.js';
export { RealtimeError, realtimeErrors, type RealtimeErrorCode } from './realtime-errors.js';
export { found, notFound } from './found.js';
export { openAiRefusal } from './openai-errors.js';
export { earlyAnswer, wholeAnswer, wholeOpenAiAnswer, type WholeAnswer } from './whole-answer.js';
export {
  isQuotaName,
  quotaDefaults,
  quotaNames,
  quotas,
  type QuotaLimits,
  type QuotaName,
  type QuotaSettings,
} from './quotas.js';
export {
  errorEvent,
  refusals,
  shortfalls,
  type NoticeCode,
  type RefusalCode,
  type ServiceErrorCode,
  type ShortfallCode,
} from './events.js';
export { clientEvents, clientRoutes, type ClientRoute } from './realtime/client-events.js';
export { customEvent, customEvents, type UnresumableReason } from './realtime/custom-events.js';
export { renewalReasons, type RenewalReason } from './realtime/renewal-reasons.js';
export { providerEvents, providerRoutes, type ProviderRoute } from './realtime/provider-events.js';
export { sessionValues } from './realtime/session-values.js';
export {
  fromProviderDetection,
  OutputModalities,
  toProviderDetection,
  TurnDetection,
} from './schemas/turn-detection.js';
export { asyncApiDocument } from './contract/asyncapi.js';
export { hashApiKey, keyRememberedMs, maskApiKey, newApiKey } from './api-key.js';
export { includesRole, isRole, roleNames, roles, type Role } from './roles.js';
export { allScopes, defaultScopes, isScope, scopes, type Scope } from './scopes.js';
export { SignInInput, type Me } from './schemas/account.js';
export { ApiKeyInput, type ApiKey, type ApiKeyPatch, type NewApiKey } from './schemas/api-key.js';
export type { Member, MemberInput, NewMember, SignInLink } from './schemas/member.js';
export { isUuid } from './ids.js';
export { ownProperty } from './own-property.js';
export { isObject, type JsonObject } from './json-object.js';
export { sameJson } from './same-json.js';
export { findJsonHazard, maxJsonDepth, type JsonHazard } from './json-hazards.js';
export { hasBadCharacter, storable } from './storable.js';
export { checkParameterSchema } from './schema-bounds.js';
export { parseTemplate, type TemplatePart } from './templates.js';
export { isHttpUrl, validatorOf, withDefaults, type Validator } from './validation.js';
export { Agent, AgentInput, AgentPatch, maxSecrets, type ChangedAgent } from './schemas/agent.js';
export {
  maxUsageIntervals,
  type UsageIntervalName,
  type UsageReport,
} from './schemas/usage-report.js';
export type { ServerTools } from './schemas/server-tools.js';
export type { ToolTrial } from './schemas/tool-trial.js';
export { AuditRecord, type AuditFormat, type AuditVerification } from './schemas/audit.js';
export {
  Connection,
  ConnectionInput,
  ConnectionPatch,
  type ChangedConnection,
  type ConnectionKind,
  type ConnectionTest,
} from './schemas/connection.js';
export { Nullable, OneOf } from './schemas/text.js';
export { Approval, approvers, type Approver } from './schemas/approval.js';
export { LiveRealtimeSession } from './schemas/live-session.js';
export {
  Conversation,
  ConversationDetails,
  type ConversationFile,
  type ConversationOutcome,
} from './schemas/conversation.js';
export { Message, MessageToolCall } from './schemas/message.js';
export { Usage } from './schemas/usage.js';
export { Task, TaskInput, TaskPatch, taskStatuses, type TaskStatus } from './schemas/task.js';
export { ProblemBody } from './schemas/problem.js';
export {
  audioFormats,
  ClientTool,
  clientToolLimits,
  isAudioFormat,
  RealtimeErrorBody,
  RealtimeSessionRequest,
  RealtimeSessionResponse,
  type AudioFormat,
} from './schemas/realtime-session.js';
export { fileLimits, TemporaryFile, type FileMediaType } from './schemas/temporary-file.js';
export { heardPart, withinBudget, type HistoryBudget, type PastItem } from './history.js';
export { QuestionInput, type QuestionAnswer, type QuestionApproval } from './schemas/question.js';
export {
  builtinTools,
  reservedHeaders,
  Tool,
  toolLimits,
  type BuiltinTool,
} from './schemas/tool.js';
export {
  webhookEvents,
  WebhookInput,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookPatch,
  type ChangedWebhook,
  type WebhookWithSecret,
} from './schemas/webhook.js';
export { webhookEventData, type WebhookEventData } from './schemas/webhook-event.js';
export {
  mayHear,
  organizationEvents,
  resyncEvent,
  withoutDetails,
  type OrganizationEventData,
  type OrganizationEventType,
} from './schemas/organization-event.js';
export { pageLimits } from './schemas/page.js';
export type { Warning } from './schemas/warning.js';
export {
  idempotencyKeyPattern,
  pathParameters,
  roleFor,
  takesIdempotencyKey,
  type Operation,
  type OrganizationOperation,
} from './contract/operation.js';
export { redactDeep, redactor, strictRedactor, type Redact } from './redact.js';
export { reportedAmount, reportedCount } from './reported-amounts.js';
export { toolCallStatus, toolCallStatusOf, type ToolCallStatus } from './tool-call-status.js';
export {
  operations,
  organizationOperations,
  type OperationId,
  type OrganizationOperationId,
} from './contract/operations.js';
export { consoleOperations } from './contract/console-operations.js';
export { openApiDocument, type OpenApiDocument } from './contract/openapi.js';
export { realtimeSocketPath } from './contract/realtime-socket.js';
export { contractSummary } from './contract/contract-summary.js';
