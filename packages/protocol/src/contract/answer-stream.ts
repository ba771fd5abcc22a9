import { Type, type TSchema } from '@sinclair/typebox';
import { customEvents, questionEvents } from '../realtime/custom-events.js';
import { ProblemBody } from '../schemas/problem.js';
import { completedAnswerExample } from './examples.js';

/** Events that only realtime sessions have. */
const elsewhere = /^(?:session\.|message\.updated$)/;

const told = Object.entries({ ...customEvents, ...questionEvents }).filter(
  ([type]) => !elsewhere.test(type),
);

/** Name in the document → one event of an answer, such as MessageCreatedEvent. */
const events = Object.fromEntries(
  told.map(([type, { doc, data }]) => [
    `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`,
    Type.Object(
      { type: Type.Literal(type), data: type === 'error' ? ProblemBody : data },
      { additionalProperties: false, description: doc },
    ),
  ]),
);

export const answerEvents: Record<string, TSchema> = {
  ...events,
  AnswerEvent: Type.Unsafe({
    type: 'object',
    description: 'One event of a streamed answer: the content of `data` in the server-sent event.',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: Object.values(events),
  }),
};

/** The events of an answer, for readers of the contract. */
export const answerStream = {
  type: 'string',
  description: [
    'Server-sent events: `event` is the type and `data` is `{type, data}` as JSON, an AnswerEvent. A line that starts with a colon keeps the connection alive.',
    'If a stream ends before `question.answered` or `error`, its server was lost: the answer will be added to the conversation, and repeating the request with the same `Idempotency-Key` resumes the stream.',
    '',
    ...told.map(([type, { doc }]) => `- \`${type}\`: ${doc}`),
  ].join('\n'),
  contentMediaType: 'text/event-stream',
  contentSchema: { $ref: '#/components/schemas/AnswerEvent' },
} as const;

const lastEvent = JSON.stringify({ type: 'question.answered', data: completedAnswerExample });
export const answerStreamExample = `event: question.answered\ndata: ${lastEvent}\n\n`;
