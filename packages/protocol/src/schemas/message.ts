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
    agentId: Uuid({ description: 'The agent whose tool it is.' }),
    parentId: Nullable(
      Uuid({ description: 'The sub-agent call within which this call was made.' }),
    ),
    callId: Type.String({ description: 'The provider’s call id.' }),
    name: Type.String(),
    arguments: Type.Unknown({ description: 'The arguments of the call.' }),
    status: Type.Integer({
      minimum: 0,
      maximum: 3,
      description: '0 pending, 1 success, 2 failed, 3 waiting for approval.',
    }),
    approval: Nullable(OneOf(approvalStates), {
      enum: [...approvalStates, null],
      description: 'null if the call needed no approval.',
    }),
    decidedBy: Reported('Who approved or rejected the call.'),
    decidedAt: Nullable(DateTime()),
    result: Type.Unknown({ description: 'The tool’s result; null if there is none.' }),
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
      description: '“failed” if the text never became known; `content` is then empty.',
    }),
    createdAt: DateTime({
      description: 'When it was said, which may be long before its text was known.',
    }),
    author: Nullable(OneOf(['client']), {
      enum: ['client', null],
      description:
        '“client” for an answer that the client itself added to the conversation: the agent did not say it. Otherwise null.',
    }),
    itemId: Nullable(Type.String({ description: 'The provider’s item id.' })),
    sessionId: Nullable(Uuid({ description: 'The session in which it was said.' })),
    interrupted: Type.Boolean({ description: 'Whether the user interrupted the answer.' }),
    audioEndMs: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'How much of an interrupted answer was played, in milliseconds.',
      }),
    ),
    toolCall: Nullable(MessageToolCall),
    usage: Nullable(Usage, {
      description: 'Usage of the message’s transcription, or of the response that begins with it.',
    }),
  },
  { additionalProperties: false },
);
export type Message = Static<typeof Message>;

export const MessagePage = Page(Message);
