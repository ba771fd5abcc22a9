import { Type, type Static } from '@sinclair/typebox';
import { approvalStates } from './approval.js';
import { Page } from './page.js';
import { DateTime, Nullable, OneOf, Uuid } from './text.js';
import { Usage } from './usage.js';

const Reported = (description: string) =>
  Nullable(Type.Record(Type.String(), Type.Unknown(), { description }));

export const MessageToolCall = Type.Object(
  {
    id: Uuid(),
    agentId: Uuid({ description: 'Whose tool it is.' }),
    parentId: Nullable(
      Uuid({ description: 'The call of a sub-agent inside which this call was made.' }),
    ),
    callId: Type.String({ description: 'The provider’s id of the call.' }),
    name: Type.String(),
    arguments: Type.Unknown({ description: 'What the model called the tool with.' }),
    status: Type.Integer({
      minimum: 0,
      maximum: 3,
      description: '0 pending, 1 success, 2 failed, 3 waiting for approval.',
    }),
    approval: Nullable(OneOf(approvalStates), {
      enum: [...approvalStates, null],
      description: 'null when the call needed none.',
    }),
    decidedBy: Reported('Who approved or rejected the call.'),
    decidedAt: Nullable(DateTime()),
    result: Type.Unknown({ description: 'What the tool answered; null without an answer.' }),
    executionTimeSeconds: Nullable(Type.Number({ minimum: 0 })),
  },
  { additionalProperties: false },
);
export type MessageToolCall = Static<typeof MessageToolCall>;

export const Message = Type.Object(
  {
    id: Uuid(),
    role: OneOf(['user', 'assistant', 'tool']),
    content: Type.String(),
    status: Type.String({
      description: '“failed” where the words never became known: `content` is empty then.',
    }),
    createdAt: DateTime({
      description: 'When it was said, which may be long before its words were known.',
    }),
    author: Nullable(OneOf(['client']), {
      enum: ['client', null],
      description:
        '“client” for an answer that the client itself put into the conversation: the agent did not say it. Otherwise null.',
    }),
    itemId: Nullable(Type.String({ description: 'The provider’s id of the item.' })),
    sessionId: Nullable(Uuid({ description: 'The session in which it was spoken.' })),
    interrupted: Type.Boolean({ description: 'The user cut the answer off.' }),
    audioEndMs: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'How much of an interrupted answer was played, in milliseconds.',
      }),
    ),
    toolCall: Nullable(MessageToolCall),
    usage: Nullable(Usage, {
      description:
        'What the transcription of the message, or the response that begins with it, used.',
    }),
  },
  { additionalProperties: false },
);
export type Message = Static<typeof Message>;

export const MessagePage = Page(Message);
