import {
  ConversationDetails,
  ConversationExport,
  ConversationPage,
  ConversationQuery,
} from '../schemas/conversation.js';
import { MessagePage } from '../schemas/message.js';
import { PageQuery } from '../schemas/page.js';
import type { Operation } from './operation.js';

export const conversationOperations = {
  listConversations: {
    method: 'get',
    path: '/Conversation',
    tag: 'Conversation',
    summary: 'List conversations, oldest first',
    description:
      'Returns a page of the organization’s conversations, from both realtime sessions and questions.',
    scope: 'conversations',
    query: ConversationQuery,
    success: { status: 200, schema: ConversationPage },
    problems: [],
  },
  getConversation: {
    method: 'get',
    path: '/Conversation/{conversationId}',
    tag: 'Conversation',
    summary: 'Read a conversation with its sessions and its usage',
    description: 'Usage is the total of all sessions and questions of the conversation, per model.',
    scope: 'conversations',
    success: { status: 200, schema: ConversationDetails },
    problems: [],
  },
  listMessages: {
    method: 'get',
    path: '/Conversation/{conversationId}/message',
    tag: 'Conversation',
    summary: 'List the messages of a conversation in the order in which they were spoken',
    description: 'Returns what the user and the agent said, with tool calls in their positions.',
    scope: 'conversations',
    query: PageQuery,
    success: { status: 200, schema: MessagePage },
    problems: [],
  },
  exportConversation: {
    method: 'get',
    path: '/Conversation/{conversationId}/export',
    tag: 'Conversation',
    summary: 'Stream everything about a conversation as one JSON object',
    description:
      'The conversation, its messages, approvals, tasks and files. An interrupted response is not valid JSON.',
    scope: 'conversations',
    furtherScopes: ['approvals', 'tasks'],
    success: { status: 200, schema: ConversationExport, stream: ['application/json'] },
    problems: [],
  },
  deleteConversation: {
    method: 'delete',
    path: '/Conversation/{conversationId}',
    tag: 'Conversation',
    summary: 'Delete a conversation and everything that was said in it',
    description:
      'Its open sessions end, and what the agent wrote into tasks is removed, too. The audit log records the deletion.',
    scope: 'conversations',
    success: { status: 204 },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
