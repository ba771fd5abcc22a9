import { Type, type Static } from '@sinclair/typebox';
import { FileIds } from './temporary-file.js';
import { DateTime, Name, Nullable, OneOf, Uuid } from './text.js';

export const QuestionInput = Type.Object(
  {
    question: Name(100_000),
    conversationId: Type.Optional(
      Nullable(Uuid(), {
        default: null,
        description: 'A conversation with this agent to continue; without it, a new one starts.',
      }),
    ),
    fileIds: Type.Optional(FileIds),
  },
  { additionalProperties: false },
);
export type QuestionInput = Static<typeof QuestionInput>;

export const QuestionApproval = Type.Object(
  {
    id: Uuid(),
    callId: Type.String(),
    name: Type.String({ description: 'Name of the tool.' }),
    arguments: Type.Unknown(),
    deadline: DateTime(),
  },
  { additionalProperties: false },
);
export type QuestionApproval = Static<typeof QuestionApproval>;

export const QuestionAnswer = Type.Object(
  {
    conversationId: Uuid(),
    messageId: Uuid({
      description:
        'Id of the answer in the conversation. The message does not exist until the status is `completed`.',
    }),
    status: OneOf(['completed', 'waitingForApproval', 'inProgress'], {
      description:
        'Anything but `completed` comes with 202: the answer will be added to the conversation, and the webhook event `question.answered` announces it.',
    }),
    answer: Type.String({ description: 'Empty until the status is `completed`.' }),
    approvals: Type.Array(QuestionApproval, {
      description: 'What a person has to decide before the question continues.',
    }),
  },
  { additionalProperties: false },
);
export type QuestionAnswer = Static<typeof QuestionAnswer>;

const closed = { additionalProperties: false } as const;

/** The 200 response. */
export const CompletedAnswer = Type.Object(
  { ...QuestionAnswer.properties, status: OneOf(['completed']) },
  closed,
);

/** The 202 response. */
export const PendingAnswer = Type.Object(
  {
    ...QuestionAnswer.properties,
    status: OneOf(['waitingForApproval', 'inProgress'], {
      description:
        'The answer will be added to the conversation; the webhook event `question.answered` announces it.',
    }),
  },
  closed,
);
