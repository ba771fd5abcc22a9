import { Type, type Static } from '@sinclair/typebox';
import { Page } from './page.js';
import { DateTime, HttpUrl, Nullable, OneOf, Uuid } from './text.js';
import { warnings } from './warning.js';

/**
 * The events that an organization can subscribe to. `data` of an event has ids and what changed;
 * details are read over REST.
 */
export const webhookEvents = {
  'approval.waiting': 'A tool call is waiting for approval.',
  'approval.decided': 'A waiting tool call was approved or rejected, expired, or was cancelled.',
  'question.answered':
    'A question was answered or failed, including questions that were waiting for approval.',
  'session.ended': 'A realtime session ended, or its instance was lost.',
  'task.changed': 'A task was created, changed or deleted, by your systems or by an agent.',
} as const satisfies Record<string, string>;

export type WebhookEvent = keyof typeof webhookEvents;

const eventNames = Object.keys(webhookEvents) as WebhookEvent[];

const fields = {
  url: HttpUrl({ description: 'Where events are sent as POST requests.' }),
  events: Type.Array(OneOf(eventNames), {
    minItems: 1,
    uniqueItems: true,
    description: 'Which events are sent.',
  }),
  enabled: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'If false, events are not sent, and not sent later either.',
    }),
  ),
};

export const WebhookInput = Type.Object(fields, { additionalProperties: false });
export type WebhookInput = Static<typeof WebhookInput>;

export const WebhookPatch = Type.Partial(WebhookInput, {
  additionalProperties: false,
  minProperties: 1,
});
export type WebhookPatch = Static<typeof WebhookPatch>;

const shown = {
  id: Uuid(),
  ...Type.Required(Type.Object(fields)).properties,
  createdAt: DateTime(),
  updatedAt: DateTime(),
};

export const Webhook = Type.Object(shown, { additionalProperties: false });
export type Webhook = Static<typeof Webhook>;

export const WebhookPage = Page(Webhook);

export const WebhookWithSecret = Type.Object(
  {
    ...shown,
    secret: Type.String({
      description: 'Signs the requests; shown only once. See /docs/webhooks.',
    }),
  },
  { additionalProperties: false },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

/** The response to a change. */
export const ChangedWebhook = Type.Object(
  {
    ...shown,
    secret: Type.Optional(
      Type.String({
        description: 'A new signing secret, if the change replaced it; shown only once.',
      }),
    ),
    warnings,
  },
  { additionalProperties: false },
);
export type ChangedWebhook = Static<typeof ChangedWebhook>;

export const WebhookDelivery = Type.Object(
  {
    id: Uuid({ description: 'The webhook-id header of the request.' }),
    event: OneOf(eventNames),
    state: OneOf(['pending', 'delivered', 'failed']),
    attempts: Type.Integer({ minimum: 0 }),
    createdAt: DateTime(),
    nextAttemptAt: Nullable(DateTime()),
    deliveredAt: Nullable(DateTime()),
    lastStatus: Nullable(
      Type.Integer({
        description: 'HTTP status of the last attempt; null if there was no response.',
      }),
    ),
    lastError: Nullable(Type.String()),
  },
  { additionalProperties: false },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryPage = Page(WebhookDelivery);
