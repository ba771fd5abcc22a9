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
      'A page of the organization’s conversations, those of realtime sessions and of questions alike.',
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
    description: 'What all sessions and questions of the conversation used is summed up per model.',
    scope: 'conversations',
    success: { status: 200, schema: ConversationDetails },
    problems: [],
  },
  listMessages: {
    method: 'get',
    path: '/Conversation/{conversationId}/message',
    tag: 'Conversation',
    summary: 'List the messages of a conversation in the order in which they were spoken',
    description:
      'What the user and the agent said, and the calls of tools in their places among it.',
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
      'The conversation, its messages, approvals, tasks and files. An answer that breaks off is no valid JSON.',
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
      'Its open sessions end, and what the agent wrote into tasks goes too. The audit log keeps that it was deleted.',
    scope: 'conversations',
    success: { status: 204 },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
