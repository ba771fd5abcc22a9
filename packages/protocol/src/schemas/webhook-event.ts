import { Type, type Static, type TObject } from '@sinclair/typebox';
import { approvalStates, Approvers } from './approval.js';
import { taskStatuses } from './task.js';
import { DateTime, Nullable, OneOf, Uuid } from './text.js';
import type { WebhookEvent } from './webhook.js';

const closed = { additionalProperties: false } as const;

const call = {
  id: Uuid({ description: 'Id of the approval: approve or reject it with this id.' }),
  callId: Type.String({ description: 'The provider’s call id.' }),
  name: Type.String({ description: 'The tool.' }),
  agentId: Uuid({ description: 'The agent whose tool it is.' }),
  conversationId: Uuid(),
  sessionId: Nullable(Uuid(), { description: 'null if the call belongs to a question.' }),
  approvers: Approvers('Who may decide it: the client of the session, or the API.'),
};

/** The `data` of each event: ids and what changed, never what was said. */
export const webhookEventData = {
  'approval.waiting': Type.Object(
    {
      ...call,
      deadline: DateTime({ description: 'When the approval expires if nobody decides.' }),
    },
    closed,
  ),
  'approval.decided': Type.Object(
    {
      ...call,
      state: OneOf(approvalStates.filter((state) => state !== 'waiting')),
      decidedBy: Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Who approved or rejected the call; null if nobody did.',
        }),
      ),
    },
    closed,
  ),
  'question.answered': Type.Object(
    {
      agentId: Uuid(),
      conversationId: Uuid(),
      messageId: Uuid({ description: 'Id of the answer in the conversation.' }),
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
      endReason: Type.String({ description: 'The name of the close code, or another reason.' }),
      closeCode: Type.Integer({
        description: 'Close code of the WebSocket; 1006 if the instance was lost.',
      }),
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
