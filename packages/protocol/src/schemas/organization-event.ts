import { Type, type Static, type TObject } from '@sinclair/typebox';
import type { Scope } from '../scopes.js';
import { ownProperty } from '../own-property.js';
import { Nullable, OneOf, Uuid } from './text.js';
import { webhookEvents, type WebhookEvent } from './webhook.js';
import { webhookEventData } from './webhook-event.js';

const closed = { additionalProperties: false } as const;

const session = ['id', 'agentId', 'conversationId'] as const;
const call = ['id', 'callId', 'agentId', 'conversationId', 'sessionId'] as const;

/**
 * The live events of an organization: ids and types, so that listeners know what to read again. A
 * caller receives an event if it has one of its `scopes`. Events that webhooks receive, too, have
 * the same names there.
 */
export const organizationEvents = {
  'approval.waiting': {
    doc: webhookEvents['approval.waiting'],
    scopes: ['approvals'],
    data: Type.Pick(webhookEventData['approval.waiting'], call, closed),
  },
  'approval.decided': {
    doc: webhookEvents['approval.decided'],
    scopes: ['approvals'],
    data: Type.Pick(webhookEventData['approval.decided'], [...call, 'state'], closed),
  },
  'session.started': {
    doc: 'A realtime session was admitted.',
    scopes: ['conversations', 'realtime'],
    data: Type.Pick(webhookEventData['session.ended'], session, closed),
  },
  'session.ended': {
    doc: 'A realtime session ended, or its instance was lost.',
    scopes: ['conversations', 'realtime'],
    data: Type.Pick(webhookEventData['session.ended'], session, closed),
  },
  'message.created': {
    doc: 'A message was added to a conversation: something said, typed or answered, or a tool call.',
    scopes: ['conversations', 'realtime'],
    data: Type.Object(
      {
        id: Uuid(),
        conversationId: Uuid(),
        sessionId: Nullable(Uuid(), { description: 'null if it belongs to a question.' }),
        role: OneOf(['user', 'assistant', 'tool']),
      },
      closed,
    ),
  },
  'question.answered': {
    doc: webhookEvents['question.answered'],
    scopes: ['conversations', 'questions'],
    data: webhookEventData['question.answered'],
  },
  'task.changed': {
    doc: webhookEvents['task.changed'],
    scopes: ['tasks'],
    data: Type.Pick(
      webhookEventData['task.changed'],
      ['id', 'change', 'agentId', 'conversationId'],
      closed,
    ),
  },
} as const satisfies Record<string, { doc: string; scopes: readonly Scope[]; data: TObject }>;

export type OrganizationEventType = keyof typeof organizationEvents;

export type OrganizationEventData = {
  [Type in OrganizationEventType]: Static<(typeof organizationEvents)[Type]['data']>;
};

/** An event that webhooks receive as well, with fewer fields. */
export function withoutDetails<Type extends WebhookEvent>(
  type: Type,
  data: Readonly<Record<string, unknown>>,
): OrganizationEventData[Type] {
  const names = Object.keys(organizationEvents[type].data.properties);
  return Object.fromEntries(
    names.map((name) => [name, ownProperty(data, name)]),
  ) as OrganizationEventData[Type];
}

/** The one event that is not about the organization: events may have been missed. */
export const resyncEvent = 'resync';

/** Whether a caller with these scopes receives the event. */
export function mayHear(type: string, scopes: readonly Scope[]): boolean {
  if (type === resyncEvent) return true;
  const rows: Readonly<Record<string, { readonly scopes: readonly Scope[] }>> = organizationEvents;
  return ownProperty(rows, type)?.scopes.some((scope) => scopes.includes(scope)) ?? false;
}
