import { Type, type Static } from '@sinclair/typebox';
import { Approval } from './approval.js';
import { Message } from './message.js';
import { Page, PageQuery } from './page.js';
import { DateTime, Name, Nullable, OneOf, Uuid } from './text.js';
import { Task } from './task.js';
import { Usage } from './usage.js';

export const conversationOutcomes = ['waiting', 'open', 'failed', 'completed'] as const;
export type ConversationOutcome = (typeof conversationOutcomes)[number];

export const ConversationQuery = Type.Object(
  {
    AgentId: Type.Optional(Uuid({ description: 'Only the conversations of this agent.' })),
    Search: Type.Optional(
      Name(200, {
        description:
          'Only those with a message that has all of these words, up to 8, each from its beginning, in capitals or not.',
      }),
    ),
    From: Type.Optional(DateTime({ description: 'Only those that began then or later.' })),
    To: Type.Optional(DateTime({ description: 'Only those that began before then.' })),
    Outcome: Type.Optional(
      OneOf(conversationOutcomes, { description: 'Only those that have this outcome now.' }),
    ),
    ...PageQuery.properties,
  },
  { additionalProperties: false },
);

const fields = {
  id: Uuid(),
  agentId: Uuid(),
  messageCount: Type.Integer({ minimum: 0 }),
  outcome: OneOf(conversationOutcomes, {
    description:
      'The first that applies: `waiting`, a tool call waits for approval; `open`, a session or a question goes on; `failed`, the service, the provider or a lost instance ended a session of it, or a question got no answer; else `completed`.',
  }),
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
