import { customEvents, questionEvents } from '../realtime/custom-events.js';

/** Events of the realtime session alone are named so. */
const told = Object.entries({ ...customEvents, ...questionEvents }).filter(
  ([type]) => !type.startsWith('session.'),
);

/** What the events of an answer look like, for whoever reads the contract. */
export const answerStream = {
  type: 'string',
  description: [
    'Server-sent events: `event` is the type and `data` is `{type, data}` as JSON. A line that starts with a colon keeps the connection alive.',
    'A stream that ends before `question.answered` or `error` lost its server: the answer will stand in the conversation, and the same request with the same `Idempotency-Key` goes on listening.',
    '',
    ...told.map(([type, { doc }]) => `- \`${type}\`: ${doc}`),
  ].join('\n'),
} as const;
