import { Type, type Static, type TObject } from '@sinclair/typebox';
import { approvalStates, Approvers } from './approval.js';
import { taskStatuses } from './task.js';
import { DateTime, Nullable, OneOf, Uuid } from './text.js';
import type { WebhookEvent } from './webhook.js';

const closed = { additionalProperties: false } as const;

const call = {
  id: Uuid({ description: 'Of the approval: approve or reject it under this id.' }),
  callId: Type.String({ description: 'The provider’s id of the call.' }),
  name: Type.String({ description: 'The tool.' }),
  agentId: Uuid({ description: 'Whose tool it is.' }),
  conversationId: Uuid(),
  sessionId: Nullable(Uuid(), { description: 'null where the call belongs to a question.' }),
  approvers: Approvers('Who may decide it: the client of the session, or the API.'),
};

/** What `data` of each event holds: ids and what changed, never what was said. */
export const webhookEventData = {
  'approval.waiting': Type.Object(
    {
      ...call,
      deadline: DateTime({ description: 'When the approval expires, unless it is decided.' }),
    },
    closed,
  ),
  'approval.decided': Type.Object(
    {
      ...call,
      state: OneOf(approvalStates.filter((state) => state !== 'waiting')),
      decidedBy: Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Who approved or rejected the call; null where nobody did.',
        }),
      ),
    },
    closed,
  ),
  'question.answered': Type.Object(
    {
      agentId: Uuid(),
      conversationId: Uuid(),
      messageId: Uuid({ description: 'Of the answer in the conversation.' }),
      status: OneOf(['completed', 'failed']),
    },
    closed,
  ),
  'session.ended': Type.Object(
    {
      id: Uuid(),
      agentId: Uuid(),
      conversationId: Uuid(),
      startedAt: DateTime(),
      endedAt: DateTime(),
      endReason: Type.String({ description: 'The name of the close code, or what else ended it.' }),
      closeCode: Type.Integer({ description: 'What the WebSocket was closed with.' }),
    },
    closed,
  ),
  'task.changed': Type.Object(
    {
      id: Uuid(),
      change: OneOf(['created', 'updated', 'deleted']),
      externalId: Nullable(Type.String()),
      status: OneOf(taskStatuses),
      version: Type.Integer({ minimum: 1 }),
      agentId: Nullable(Uuid()),
      conversationId: Nullable(Uuid()),
    },
    closed,
  ),
} as const satisfies Record<WebhookEvent, TObject>;

export type WebhookEventData = {
  [Type in WebhookEvent]: Static<(typeof webhookEventData)[Type]>;
};
