import { Type, type TSchema } from '@sinclair/typebox';
import { organizationEvents, resyncEvent } from '../schemas/organization-event.js';
import { DateTime } from '../schemas/text.js';

const resync = {
  doc: 'Events may have been missed: read everything that you show again.',
  data: Type.Object({}, { additionalProperties: false }),
};

const told = Object.entries({ ...organizationEvents, [resyncEvent]: resync });

/** Name in the document → one event of an organization, such as ApprovalWaitingHint. */
const hints = Object.fromEntries(
  told.map(([type, { doc, data }]) => [
    `${type.replaceAll(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Hint`,
    Type.Object(
      { type: Type.Literal(type), timestamp: DateTime(), data },
      { additionalProperties: false, description: doc },
    ),
  ]),
);

export const organizationHints: Record<string, TSchema> = {
  ...hints,
  OrganizationEvent: Type.Unsafe({
    type: 'object',
    description: 'One event of an organization: the content of `data` in the server-sent event.',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: Object.values(hints),
  }),
};

/** The events of an organization, for readers of the contract. */
export const organizationStream = {
  type: 'string',
  description: [
    'Server-sent events: `id` is the position in the stream, `event` the type, and `data` is `{type, timestamp, data}` as JSON, an OrganizationEvent. An `id` alone advances the position, and a line that starts with a colon keeps the connection alive.',
    '',
    ...told.map(([type, { doc }]) => `- \`${type}\`: ${doc}`),
  ].join('\n'),
  contentMediaType: 'text/event-stream',
  contentSchema: { $ref: '#/components/schemas/OrganizationEvent' },
} as const;

const example = JSON.stringify({
  type: 'message.created',
  timestamp: '2026-01-05T09:30:00.000Z',
  data: {
    id: '5f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11',
    conversationId: '6a1d0c11-2f1f-4c56-9b7e-8a5d5f0c9b1e',
    sessionId: null,
    role: 'user',
  },
});

export const organizationStreamExample = `id: 1767605400000-0\nevent: message.created\ndata: ${example}\n\n`;
