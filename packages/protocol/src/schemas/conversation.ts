import { Type, type Static } from '@sinclair/typebox';
import { Approval } from './approval.js';
import { Message } from './message.js';
import { Page, PageQuery } from './page.js';
import { DateTime, Nullable, Uuid } from './text.js';
import { Task } from './task.js';
import { Usage } from './usage.js';

export const ConversationQuery = Type.Object(
  {
    AgentId: Type.Optional(Uuid({ description: 'Only the conversations of this agent.' })),
    ...PageQuery.properties,
  },
  { additionalProperties: false },
);

const fields = {
  id: Uuid(),
  agentId: Uuid(),
  messageCount: Type.Integer({ minimum: 0 }),
  createdAt: DateTime(),
  updatedAt: DateTime(),
};

export const Conversation = Type.Object(fields, { additionalProperties: false });
export type Conversation = Static<typeof Conversation>;

export const ModelUsage = Type.Object(
  { model: Type.String(), ...Usage.properties },
  { additionalProperties: false },
);

export const ConversationSession = Type.Object(
  {
    id: Uuid({ description: 'Id of the session in the record; not its one-time token.' }),
    startedAt: DateTime(),
    endedAt: Nullable(DateTime(), { description: 'null while the session is open.' }),
    endReason: Nullable(Type.String({ description: 'Why the session ended.' })),
    closeCode: Nullable(Type.Integer({ description: 'What the WebSocket was closed with.' })),
    usage: Type.Array(ModelUsage, { description: 'What the session used, per model.' }),
  },
  { additionalProperties: false },
);

export const ConversationDetails = Type.Object(
  {
    ...fields,
    usage: Type.Array(ModelUsage, { description: 'What all sessions used together, per model.' }),
    sessions: Type.Array(ConversationSession, { description: 'Oldest first.' }),
  },
  { additionalProperties: false },
);
export type ConversationDetails = Static<typeof ConversationDetails>;

export const ConversationFile = Type.Object(
  {
    id: Uuid({ description: 'Of the temporary file, which may have expired since.' }),
    name: Type.String(),
    mediaType: Type.String(),
    sizeBytes: Type.Integer({ minimum: 0 }),
    givenAt: DateTime({ description: 'When the agent was given its text first.' }),
  },
  { additionalProperties: false },
);
export type ConversationFile = Static<typeof ConversationFile>;

export const ConversationExport = Type.Object(
  {
    conversation: ConversationDetails,
    messages: Type.Array(Message, { description: 'In spoken order, tool calls included.' }),
    approvals: Type.Array(Approval, { description: 'Waiting or decided, in no order.' }),
    tasks: Type.Array(Task, { description: 'Those that name the conversation, in no order.' }),
    files: Type.Array(ConversationFile, { description: 'Whose text the agent was given.' }),
  },
  { additionalProperties: false },
);

export const ConversationPage = Page(Conversation);
