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
          'Only those that have a message with all of these words, up to 8, matched by prefix and case-insensitively.',
      }),
    ),
    From: Type.Optional(DateTime({ description: 'Only those that began at or after this time.' })),
    To: Type.Optional(DateTime({ description: 'Only those that began before this time.' })),
    Outcome: Type.Optional(
      OneOf(conversationOutcomes, { description: 'Only those with this outcome.' }),
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
      'The first that applies: `waiting`, a tool call waits for approval; `open`, a session or a question is in progress; `failed`, the service, the provider or a lost instance ended a session of it, or a question got no answer; else `completed`.',
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
    closeCode: Nullable(Type.Integer({ description: 'Close code of the WebSocket.' })),
    usage: Type.Array(ModelUsage, { description: 'Usage of the session, per model.' }),
  },
  { additionalProperties: false },
);

export const ConversationDetails = Type.Object(
  {
    ...fields,
    usage: Type.Array(ModelUsage, { description: 'Total usage of all sessions, per model.' }),
    sessions: Type.Array(ConversationSession, { description: 'Oldest first.' }),
  },
  { additionalProperties: false },
);
export type ConversationDetails = Static<typeof ConversationDetails>;

export const ConversationFile = Type.Object(
  {
    id: Uuid({ description: 'Id of the temporary file, which may have expired since.' }),
    name: Type.String(),
    mediaType: Type.String(),
    sizeBytes: Type.Integer({ minimum: 0 }),
    givenAt: DateTime({ description: 'When the agent first got its text.' }),
  },
  { additionalProperties: false },
);
export type ConversationFile = Static<typeof ConversationFile>;

export const ConversationExport = Type.Object(
  {
    conversation: ConversationDetails,
    messages: Type.Array(Message, { description: 'In spoken order, including tool calls.' }),
    approvals: Type.Array(Approval, { description: 'Waiting or decided, in no particular order.' }),
    tasks: Type.Array(Task, {
      description: 'Those that reference the conversation, in no particular order.',
    }),
    files: Type.Array(ConversationFile, { description: 'Files whose text the agent got.' }),
  },
  { additionalProperties: false },
);

export const ConversationPage = Page(Conversation);
