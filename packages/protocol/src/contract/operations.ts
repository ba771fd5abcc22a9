import type { TObject, TSchema } from '@sinclair/typebox';
import { Agent, AgentInput, AgentPatch } from '../schemas/agent.js';
import { Connection, ConnectionInput, ConnectionPatch } from '../schemas/connection.js';
import {
  Conversation,
  ConversationDetails,
  ConversationQuery,
  ConversationSession,
  ModelUsage,
} from '../schemas/conversation.js';
import { Message } from '../schemas/message.js';
import {
  ClientTool,
  RealtimeSessionRequest,
  RealtimeSessionResponse,
} from '../schemas/realtime-session.js';
import { Page, PageQuery } from '../schemas/page.js';
import type { ProblemCode, RealtimeErrorCode } from '../errors.js';
import type { Scope } from '../scopes.js';
import { BuiltinToolDefinition, HttpTool, McpTool, SubagentTool, Tool } from '../schemas/tool.js';

export const tags = {
  Agent: 'An agent: its instructions, its voice, and the tools that it may use.',
  Connection: 'How Parley reaches a model provider.',
  Realtime: 'A realtime session: created here, then opened as a WebSocket with its one-time token.',
  Conversation: 'The record of what was said to an agent, what its tools did, and what it cost.',
} as const satisfies Record<string, string>;

/** One REST operation: what the router enforces and what the OpenAPI document says. */
export type Operation = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  tag: keyof typeof tags;
  summary: string;
  scope: Scope;
  query?: TObject;
  body?: TSchema;
  /** A body may be left out entirely; every field then takes its default. */
  bodyOptional?: boolean;
  /** A budget of its own beside that of all requests; without Redis to count in, the operation is refused. */
  rateLimit?: 'sessions';
  success: { status: 200 | 201 | 204; schema?: TSchema };
  /** Refusals beyond those that every operation shares. */
  problems: readonly ProblemCode[];
  realtimeErrors?: readonly RealtimeErrorCode[];
};

/** Name in the document's components → schema. */
export const namedSchemas = {
  HttpTool,
  McpTool,
  SubagentTool,
  BuiltinTool: BuiltinToolDefinition,
  Tool,
  Agent,
  AgentInput,
  AgentPatch,
  AgentPage: Page(Agent),
  Connection,
  ConnectionInput,
  ConnectionPatch,
  ConnectionPage: Page(Connection),
  ClientTool,
  RealtimeSessionRequest,
  RealtimeSessionResponse,
  Conversation,
  ConversationPage: Page(Conversation),
  ConversationDetails,
  ConversationSession,
  ModelUsage,
  Message,
  MessagePage: Page(Message),
} as const satisfies Record<string, TSchema>;

const { AgentPage, ConnectionPage, ConversationPage, MessagePage } = namedSchemas;

export const operations = {
  listAgents: {
    method: 'get',
    path: '/Agent',
    tag: 'Agent',
    summary: 'List agents, oldest first',
    scope: 'agents',
    query: PageQuery,
    success: { status: 200, schema: AgentPage },
    problems: ['query-invalid'],
  },
  createAgent: {
    method: 'post',
    path: '/Agent',
    tag: 'Agent',
    summary: 'Create an agent',
    scope: 'agents',
    body: AgentInput,
    success: { status: 201, schema: Agent },
    problems: [],
  },
  getAgent: {
    method: 'get',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Read an agent',
    scope: 'agents',
    success: { status: 200, schema: Agent },
    problems: [],
  },
  replaceAgent: {
    method: 'put',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Replace an agent; fields left out take their defaults, secrets stay',
    scope: 'agents',
    body: AgentInput,
    success: { status: 200, schema: Agent },
    problems: [],
  },
  updateAgent: {
    method: 'patch',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Change the given fields of an agent',
    scope: 'agents',
    body: AgentPatch,
    success: { status: 200, schema: Agent },
    problems: [],
  },
  deleteAgent: {
    method: 'delete',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Delete an agent and its secrets; its conversations stay',
    scope: 'agents',
    success: { status: 204 },
    problems: ['conflict'],
  },
  listConnections: {
    method: 'get',
    path: '/Connection',
    tag: 'Connection',
    summary: 'List provider connections, oldest first',
    scope: 'connections',
    query: PageQuery,
    success: { status: 200, schema: ConnectionPage },
    problems: ['query-invalid'],
  },
  createConnection: {
    method: 'post',
    path: '/Connection',
    tag: 'Connection',
    summary: 'Create a provider connection',
    scope: 'connections',
    body: ConnectionInput,
    success: { status: 201, schema: Connection },
    problems: [],
  },
  getConnection: {
    method: 'get',
    path: '/Connection/{connectionId}',
    tag: 'Connection',
    summary: 'Read a provider connection',
    scope: 'connections',
    success: { status: 200, schema: Connection },
    problems: [],
  },
  updateConnection: {
    method: 'patch',
    path: '/Connection/{connectionId}',
    tag: 'Connection',
    summary: 'Change the given fields of a connection',
    scope: 'connections',
    body: ConnectionPatch,
    success: { status: 200, schema: Connection },
    problems: [],
  },
  deleteConnection: {
    method: 'delete',
    path: '/Connection/{connectionId}',
    tag: 'Connection',
    summary: 'Delete a connection that no agent uses',
    scope: 'connections',
    success: { status: 204 },
    problems: ['conflict'],
  },
  createRealtimeSession: {
    method: 'post',
    path: '/Agent/{agentId}/realtime-session',
    tag: 'Realtime',
    summary: 'Create a one-time, short-lived realtime session',
    scope: 'realtime',
    rateLimit: 'sessions',
    body: RealtimeSessionRequest,
    bodyOptional: true,
    success: { status: 200, schema: RealtimeSessionResponse },
    problems: [],
    realtimeErrors: [
      'RealtimeNotEnabled',
      'RealtimeUnsupportedConnection',
      'RealtimeUnsupportedModel',
      'RealtimeAudioFormatUnsupported',
    ],
  },
  listConversations: {
    method: 'get',
    path: '/Conversation',
    tag: 'Conversation',
    summary: 'List conversations, oldest first',
    scope: 'conversations',
    query: ConversationQuery,
    success: { status: 200, schema: ConversationPage },
    problems: ['query-invalid'],
  },
  getConversation: {
    method: 'get',
    path: '/Conversation/{conversationId}',
    tag: 'Conversation',
    summary: 'Read a conversation with its sessions and its usage',
    scope: 'conversations',
    success: { status: 200, schema: ConversationDetails },
    problems: [],
  },
  listMessages: {
    method: 'get',
    path: '/Conversation/{conversationId}/message',
    tag: 'Conversation',
    summary: 'List the messages of a conversation in the order in which they were spoken',
    scope: 'conversations',
    query: PageQuery,
    success: { status: 200, schema: MessagePage },
    problems: ['query-invalid'],
  },
  deleteConversation: {
    method: 'delete',
    path: '/Conversation/{conversationId}',
    tag: 'Conversation',
    summary: 'Delete a conversation with its messages, tool calls, usage and sessions',
    scope: 'conversations',
    success: { status: 204 },
    problems: [],
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** Names in braces of an operation's path. */
export function pathParameters(operation: Operation): string[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
