import type { TSchema } from '@sinclair/typebox';
import { Me, SignInInput, SignInWays } from '../schemas/account.js';
import { Agent, AgentInput, AgentPage, AgentPatch, ChangedAgent } from '../schemas/agent.js';
import { ApiKey, ApiKeyInput, ApiKeyPage, ApiKeyPatch, NewApiKey } from '../schemas/api-key.js';
import { Approval, ApprovalPage } from '../schemas/approval.js';
import { AuditPage, AuditRecord, AuditVerification } from '../schemas/audit.js';
import {
  ChangedConnection,
  Connection,
  ConnectionInput,
  ConnectionPage,
  ConnectionPatch,
  ConnectionTest,
} from '../schemas/connection.js';
import {
  Conversation,
  ConversationDetails,
  ConversationExport,
  ConversationFile,
  ConversationPage,
  ConversationSession,
  ModelUsage,
} from '../schemas/conversation.js';
import { LiveRealtimeSession, LiveRealtimeSessionPage } from '../schemas/live-session.js';
import {
  Member,
  MemberInput,
  MemberPage,
  MemberPatch,
  NewMember,
  SignInLink,
} from '../schemas/member.js';
import { Message, MessagePage } from '../schemas/message.js';
import {
  ClientTool,
  RealtimeSessionRequest,
  RealtimeSessionResponse,
} from '../schemas/realtime-session.js';
import {
  CompletedAnswer,
  PendingAnswer,
  QuestionAnswer,
  QuestionApproval,
  QuestionInput,
} from '../schemas/question.js';
import { Task, TaskInput, TaskPage, TaskPatch } from '../schemas/task.js';
import { TemporaryFile, TemporaryFilePage } from '../schemas/temporary-file.js';
import { BuiltinToolDefinition, HttpTool, McpTool, SubagentTool, Tool } from '../schemas/tool.js';
import { ServerTools } from '../schemas/server-tools.js';
import { ToolTrial, ToolTrialInput } from '../schemas/tool-trial.js';
import { NoTurnDetection, SemanticVad, ServerVad } from '../schemas/turn-detection.js';
import { QuotaUse, UsageInterval, UsageReport } from '../schemas/usage-report.js';
import {
  ChangedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookInput,
  WebhookPage,
  WebhookPatch,
  WebhookWithSecret,
} from '../schemas/webhook.js';
import { Warning } from '../schemas/warning.js';

/** Name in the document's components → schema. */
export const namedSchemas = {
  HttpTool,
  McpTool,
  SubagentTool,
  BuiltinTool: BuiltinToolDefinition,
  Tool,
  SemanticVad,
  ServerVad,
  NoTurnDetection,
  Agent,
  AgentInput,
  AgentPatch,
  AgentPage,
  ChangedAgent,
  ToolTrialInput,
  ToolTrial,
  ServerTools,
  Connection,
  ConnectionInput,
  ConnectionPatch,
  ConnectionPage,
  ChangedConnection,
  ConnectionTest,
  ClientTool,
  RealtimeSessionRequest,
  RealtimeSessionResponse,
  LiveRealtimeSession,
  LiveRealtimeSessionPage,
  Approval,
  ApprovalPage,
  Conversation,
  ConversationPage,
  ConversationDetails,
  ConversationExport,
  ConversationFile,
  ConversationSession,
  ModelUsage,
  UsageReport,
  UsageInterval,
  QuotaUse,
  QuestionInput,
  QuestionAnswer,
  CompletedAnswer,
  PendingAnswer,
  QuestionApproval,
  Message,
  MessagePage,
  Task,
  TaskInput,
  TaskPatch,
  TaskPage,
  Webhook,
  WebhookInput,
  WebhookPatch,
  WebhookPage,
  WebhookWithSecret,
  ChangedWebhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  AuditRecord,
  AuditPage,
  AuditVerification,
  TemporaryFile,
  TemporaryFilePage,
  ApiKey,
  ApiKeyInput,
  ApiKeyPatch,
  ApiKeyPage,
  NewApiKey,
  SignInLink,
  Member,
  MemberInput,
  MemberPatch,
  MemberPage,
  NewMember,
  SignInInput,
  SignInWays,
  Me,
  Warning,
} as const satisfies Record<string, TSchema>;
