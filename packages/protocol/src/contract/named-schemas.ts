import type { TSchema } from '@sinclair/typebox';
import { Agent, AgentInput, AgentPage, AgentPatch } from '../schemas/agent.js';
import {
  Connection,
  ConnectionInput,
  ConnectionPage,
  ConnectionPatch,
} from '../schemas/connection.js';
import {
  Conversation,
  ConversationDetails,
  ConversationPage,
  ConversationSession,
  ModelUsage,
} from '../schemas/conversation.js';
import { Message, MessagePage } from '../schemas/message.js';
import {
  ClientTool,
  RealtimeSessionRequest,
  RealtimeSessionResponse,
} from '../schemas/realtime-session.js';
import { Task, TaskInput, TaskPage, TaskPatch } from '../schemas/task.js';
import { BuiltinToolDefinition, HttpTool, McpTool, SubagentTool, Tool } from '../schemas/tool.js';

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
  AgentPage,
  Connection,
  ConnectionInput,
  ConnectionPatch,
  ConnectionPage,
  ClientTool,
  RealtimeSessionRequest,
  RealtimeSessionResponse,
  Conversation,
  ConversationPage,
  ConversationDetails,
  ConversationSession,
  ModelUsage,
  Message,
  MessagePage,
  Task,
  TaskInput,
  TaskPatch,
  TaskPage,
} as const satisfies Record<string, TSchema>;
