import type { Static, TSchema } from '@sinclair/typebox';
import { Problem, problems, type ProblemCode } from '../errors.js';
import { realtimeErrors } from '../realtime-errors.js';
import { Agent, AgentInput, AgentPatch, ChangedAgent } from '../schemas/agent.js';
import { Approval } from '../schemas/approval.js';
import { AuditRecord } from '../schemas/audit.js';
import {
  ChangedConnection,
  Connection,
  ConnectionInput,
  ConnectionPatch,
} from '../schemas/connection.js';
import { Conversation, ConversationDetails, ConversationExport } from '../schemas/conversation.js';
import { LiveRealtimeSession } from '../schemas/live-session.js';
import { Message } from '../schemas/message.js';
import { CompletedAnswer, PendingAnswer, QuestionInput } from '../schemas/question.js';
import { RealtimeSessionRequest, RealtimeSessionResponse } from '../schemas/realtime-session.js';
import { Task, TaskInput, TaskPatch } from '../schemas/task.js';
import { TemporaryFile } from '../schemas/temporary-file.js';
import {
  ChangedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
  WebhookWithSecret,
} from '../schemas/webhook.js';
import { withDefaults } from '../validation.js';
import { of } from './example-row.js';
import { insightExamples } from './insight-examples.js';
import { accountExamples, accountIds, sessionTokenExample } from './account-examples.js';

const ids = {
  agent: '3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11',
  connection: '5a1e7c3d-0b44-4f0e-8a3b-6d1c2e9f7a20',
  conversation: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  session: '9b2f4d10-53c1-4b0a-8f21-1d7e5a6c3b42',
  message: 'b4a0c6de-2f0d-4d5e-9f3a-8c7b6a5d4e31',
  call: 'c8d1e2f3-4a5b-4c6d-8e7f-901a2b3c4d5e',
  task: 'd1e2f3a4-b5c6-4d7e-8f90-a1b2c3d4e5f6',
  webhook: 'e5f6a7b8-c9d0-4e1f-9a2b-3c4d5e6f7a8b',
  file: 'f0e1d2c3-b4a5-4968-8776-655443322110',
} as const;
const at = '2030-01-31T16:00:00.000Z';
const later = '2030-01-31T16:05:00.000Z';
const dated = { createdAt: at, updatedAt: at };

/** Path parameters, by name. */
export const pathExamples = {
  id: ids.agent,
  connectionId: ids.connection,
  conversationId: ids.conversation,
  sessionId: ids.session,
  callId: ids.call,
  taskId: ids.task,
  externalId: 'crm-4711',
  webhookId: ids.webhook,
  deliveryId: ids.message,
  fileId: ids.file,
  name: 'find_slot',
  keyId: accountIds.key,
  memberId: accountIds.member,
} as const;

const usage = {
  inputTextTokens: 120,
  inputAudioTokens: 340,
  inputCachedTokens: 64,
  outputTextTokens: 48,
  outputAudioTokens: 260,
  transcriptionSeconds: 0,
};

const agentInput: Static<typeof AgentInput> = {
  name: 'Front desk',
  systemMessage: 'You answer callers of a dental practice, briefly and kindly.',
  voice: 'alloy',
  tools: [
    { kind: 'builtin', name: 'create_task', approvalRequired: true },
    {
      kind: 'http',
      name: 'find_slot',
      description: 'Finds the next free appointment.',
      method: 'GET',
      url: 'https://calendar.example.com/slots?from={{from}}',
      parameters: { type: 'object', properties: { from: { type: 'string' } } },
      headers: { Authorization: 'Bearer {{secret:CALENDAR_KEY}}' },
      secretRefs: ['CALENDAR_KEY'],
    },
  ],
};
const agent = {
  id: ids.agent,
  ...(withDefaults(AgentInput, agentInput) as Required<Static<typeof AgentInput>>),
  model: 'gpt-realtime',
  secretNames: ['CALENDAR_KEY'],
  version: 1,
  ...dated,
};

const connectionInput = { name: 'Our OpenAI account', kind: 'openai' } as const;
const connection = {
  id: ids.connection,
  ...(withDefaults(ConnectionInput, connectionInput) as Required<typeof connectionInput>),
  hasSecret: true,
  ...dated,
} as Static<typeof Connection>;

const taskInput = { title: 'Call Ms. Young back', externalId: 'crm-4711', dueAt: at };
const task = {
  id: ids.task,
  ...withDefaults(TaskInput, taskInput),
  version: 1,
  ...dated,
} as Static<typeof Task>;

const webhookInput: Static<typeof WebhookInput> = {
  url: 'https://example.com/parley-events',
  events: ['approval.waiting', 'question.answered'],
};
const webhook = { id: ids.webhook, ...webhookInput, enabled: true, ...dated };
const withSecret = { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

const conversation = {
  id: ids.conversation,
  agentId: ids.agent,
  messageCount: 1,
  outcome: 'completed' as const,
  ...dated,
};
const modelUsage = [{ model: 'gpt-realtime', ...usage }];
const conversationDetails: Static<typeof ConversationDetails> = {
  ...conversation,
  usage: modelUsage,
  sessions: [
    {
      id: ids.session,
      startedAt: at,
      endedAt: later,
      endReason: 'Normal',
      closeCode: 1000,
      usage: modelUsage,
    },
  ],
};
const message: Static<typeof Message> = {
  id: ids.message,
  role: 'user',
  content: 'Can I come on Thursday?',
  status: 'completed',
  createdAt: at,
  author: null,
  itemId: 'item_Bq5v1',
  sessionId: ids.session,
  interrupted: false,
  audioEndMs: null,
  toolCall: null,
  usage: null,
};
const approval: Static<typeof Approval> = {
  id: ids.call,
  callId: 'call_h7Jk2',
  agentId: ids.agent,
  conversationId: ids.conversation,
  sessionId: ids.session,
  name: 'create_task',
  arguments: { title: 'Call Ms. Young back' },
  approvers: ['client', 'api'],
  createdAt: at,
  deadline: later,
  state: 'waiting',
  decidedBy: null,
  decidedAt: null,
};
const answer = { conversationId: ids.conversation, messageId: ids.message };
export const completedAnswerExample: Static<typeof CompletedAnswer> = {
  ...answer,
  status: 'completed',
  answer: 'Thursday at ten is free.',
  approvals: [],
};
const { id, callId, name, deadline } = approval;

/** One example of each request or response body. Pages are built from these. */
const examples = new Map<TSchema, unknown>([
  ...insightExamples,
  of(AgentInput, { ...agentInput, secrets: { CALENDAR_KEY: 'cal-1234' } }),
  of(AgentPatch, { voice: 'marin' }),
  of(Agent, without(agent, 'secrets') as Static<typeof Agent>),
  of(ChangedAgent, without(agent, 'secrets') as Static<typeof ChangedAgent>),
  of(ConnectionInput, { ...connectionInput, secret: 'sk-1234' }),
  of(ConnectionPatch, { enabled: false }),
  of(Connection, connection),
  of(ChangedConnection, connection),
  of(RealtimeSessionRequest, {
    voice: 'marin',
    additionalInstructions: 'The caller’s name is Ms. Young.',
    clientTools: [{ name: 'show_map', description: 'Shows the way to the practice.' }],
  }),
  of(RealtimeSessionResponse, {
    sessionId: sessionTokenExample,
    conversationId: ids.conversation,
    expiresAt: later,
    webSocketPath: `/api/v1/Agent/${ids.agent}/realtime?conversationId=${ids.conversation}&sessionId=${sessionTokenExample}`,
    supportedInputAudioFormats: ['pcm16', 'g711_ulaw', 'g711_alaw'],
    supportedOutputAudioFormats: ['pcm16', 'g711_ulaw', 'g711_alaw'],
    maxSessionSeconds: 3600,
    idleTimeoutSeconds: 300,
    providerModelName: 'gpt-realtime',
  }),
  of(LiveRealtimeSession, {
    id: ids.session,
    agentId: ids.agent,
    conversationId: ids.conversation,
    startedAt: at,
  }),
  of(Approval, approval),
  of(Conversation, conversation),
  of(ConversationDetails, conversationDetails),
  of(ConversationExport, {
    conversation: conversationDetails,
    messages: [message],
    approvals: [approval],
    tasks: [task],
    files: [],
  }),
  of(Message, message),
  of(QuestionInput, { question: 'When is the next free appointment?' }),
  of(CompletedAnswer, completedAnswerExample),
  of(PendingAnswer, {
    ...answer,
    status: 'waitingForApproval',
    answer: '',
    approvals: [{ id, callId, name, deadline, arguments: approval.arguments }],
  }),
  of(TaskInput, taskInput),
  of(TaskPatch, { status: 'done' }),
  of(Task, task),
  of(WebhookInput, webhookInput),
  of(WebhookPatch, { enabled: false }),
  of(Webhook, webhook),
  of(WebhookWithSecret, withSecret),
  of(ChangedWebhook, webhook),
  of(WebhookDelivery, {
    id: ids.message,
    event: 'approval.waiting',
    state: 'delivered',
    attempts: 1,
    createdAt: at,
    nextAttemptAt: null,
    deliveredAt: later,
    lastStatus: 204,
    lastError: null,
  }),
  of(AuditRecord, {
    sequence: 1,
    occurredAt: at,
    actor: { kind: 'key', id: ids.connection, name: 'backend' },
    action: 'task.created',
    resourceType: 'task',
    resourceId: ids.task,
    before: null,
    after: { id: ids.task, status: 'open' },
    previousHash: '0'.repeat(64),
    hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  }),
  of(TemporaryFile, {
    id: ids.file,
    name: 'opening-hours.txt',
    mediaType: 'text/plain',
    sizeBytes: 22,
    characters: 22,
    textTruncated: false,
    createdAt: at,
    expiresAt: later,
  }),
  ...accountExamples,
]);

function without<Key extends string>(value: Partial<Record<Key, unknown>>, key: Key): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

export function exampleOf(schema: TSchema): unknown {
  const { properties } = schema as {
    properties?: { items?: { items?: TSchema }; total?: TSchema };
  };
  const item = properties?.total && properties.items?.items;
  return item
    ? { items: [examples.get(item)], total: 1, offset: 0, limit: 50 }
    : examples.get(schema);
}

const auditRecord = examples.get(AuditRecord) as Record<string, unknown>;

/** For streams that are not JSON, by media type. */
export const textExamples = {
  'application/x-ndjson': `${JSON.stringify(auditRecord)}\n`,
  'text/csv; charset=utf-8; header=present':
    'sequence,occurredAt,actorKind,actorId,actorName,action,resourceType,resourceId,before,after,previousHash,hash\r\n',
} as const;

/** One refusal of each kind, by its code. */
export const refusalExamples: Record<string, { summary: string; value: object }> =
  Object.fromEntries([
    ...(Object.keys(problems) as ProblemCode[]).map((code) => {
      const { title, doc } = problems[code];
      return [code, { summary: title, value: new Problem(code, doc).body() }];
    }),
    ...Object.entries(realtimeErrors).map(([errorCode, { doc }]) => [
      errorCode,
      { summary: errorCode, value: { status: 400, detail: doc, errorCode } },
    ]),
  ]) as Record<string, { summary: string; value: object }>;
