import { Type, type Static, type TObject } from '@sinclair/typebox';
import { closeCodes, type CloseName } from '../close-codes.js';
import { Approvers } from '../schemas/approval.js';
import { QuestionAnswer } from '../schemas/question.js';
import { noticeCodes, type NoticeCode } from '../events.js';
import { renewalReasons, type RenewalReason } from './renewal-reasons.js';
import { DateTime, Nullable, OneOf, Uuid } from '../schemas/text.js';

type CustomEvent = { doc: string; data: TObject };

const closed = { additionalProperties: false } as const;
const chatbotId = Uuid({ description: 'The agent’s id.' });
const callId = Type.String({ description: 'The provider’s call id.' });
const messageId = Uuid({ description: 'Id of the tool’s message in the conversation.' });
const approvers = Approvers('Who may decide the call.');
const text = Nullable(Type.String());
const resumePath = Type.String({
  description: 'Relative path, like webSocketPath, with the token `resume` in place of sessionId.',
});

/** Why a session can no longer be resumed. */
export const unresumableReasons = {
  SessionBufferFull:
    'The client did not acknowledge what it received with session.ack, and more than REALTIME_RESUME_BUFFER_BYTES were kept for it.',
  InstanceBufferFull:
    'All sessions of the instance together kept more than REALTIME_RESUME_POD_BYTES, and this was the oldest one that kept anything of the organization that kept most.',
} as const satisfies Record<string, string>;
export type UnresumableReason = keyof typeof unresumableReasons;

/**
 * Every event that the service adds to the provider's. The types, the AsyncAPI document and the
 * docs page derive from it.
 */
export const customEvents = {
  'message.created': {
    doc: 'A message of the user was stored.',
    data: Type.Object(
      {
        chatbotId,
        id: Uuid(),
        role: Type.Literal('user'),
        content: Type.String(),
        createdAt: DateTime(),
      },
      closed,
    ),
  },
  'message.updated': {
    doc: 'The provider has transcribed the user’s speech again: this is the new text of the message.',
    data: Type.Object({ id: Uuid(), content: Type.String() }, closed),
  },
  'response.id': {
    doc: 'A message of the agent was stored, under this id.',
    data: Type.Object({ chatbotId, id: Uuid() }, closed),
  },
  'response.completed': {
    doc: 'The agent’s answer is completely stored.',
    data: Type.Object({ chatbotId }, closed),
  },
  'response.function_invocation.start': {
    doc: 'A backend tool starts, or waits for approval.',
    data: Type.Object(
      {
        id: messageId,
        callId,
        title: text,
        imageUrl: text,
        chatbotId,
        arguments: Type.Unknown({ description: 'Parsed; the raw text if it is not JSON.' }),
        approvalRequired: Type.Boolean(),
        functionName: Type.String(),
      },
      closed,
    ),
  },
  'response.function_invocation.done': {
    doc: 'A backend tool finished, failed, was rejected, timed out or was cancelled.',
    data: Type.Object(
      {
        id: messageId,
        callId,
        text: Type.String(),
        title: text,
        imageUrl: text,
        button: Nullable(Type.Object({ label: Type.String(), link: Type.String() }, closed)),
        buttonLabel: text,
        buttonLink: text,
        chatbotId,
        status: Type.Unsafe<1 | 2>({
          type: 'integer',
          enum: [1, 2],
          description: '1 success, 2 failed.',
        }),
        executionTimeSeconds: Type.Number({ minimum: 0 }),
      },
      closed,
    ),
  },
  'approval.waiting': {
    doc: 'A call is waiting for a decision: approval.approve or approval.reject with its callId if `approvers` includes the client, or over REST.',
    data: Type.Object(
      { callId, messageId, timeoutSeconds: Type.Number({ minimum: 0 }), approvers },
      closed,
    ),
  },
  'approval.approved': {
    doc: 'The call was approved, and the tool runs.',
    data: Type.Object({ callId, messageId, approvers }, closed),
  },
  'approval.expired': {
    doc: 'Nobody decided in time; the model is told.',
    data: Type.Object({ callId, messageId, approvers }, closed),
  },
  'subagent.start': {
    doc: 'A sub-agent is asked.',
    data: Type.Object(
      {
        id: Uuid({ description: 'Id of the sub-agent.' }),
        name: Type.String(),
        icon: text,
        iconColor: text,
        callId,
      },
      closed,
    ),
  },
  'subagent.done': {
    doc: 'The sub-agent has answered.',
    data: Type.Object({ chatbotId }, closed),
  },
  'session.conversation': {
    doc: 'Sent after session.created to clients that use the OpenAI-compatible path: the conversation that the session belongs to.',
    data: Type.Object({ conversationId: Uuid() }, closed),
  },
  'session.expiring': {
    doc: 'The session will end soon.',
    data: Type.Object(
      {
        reason: OneOf(Object.keys(closeCodes) as CloseName[]),
        secondsLeft: Type.Number({ minimum: 0 }),
      },
      closed,
    ),
  },
  'session.renewed': {
    doc: 'The session continues on another connection to a provider, which was told the conversation so far. A response that was in progress has ended with the status cancelled; the answer is requested once more.',
    data: Type.Object(
      {
        reason: OneOf(Object.keys(renewalReasons) as RenewalReason[]),
        connectionId: Nullable(
          Uuid({ description: 'The connection in use; null for the deployment’s default.' }),
        ),
      },
      closed,
    ),
  },
  'session.resumable': {
    doc: 'If the connection is lost, the client can continue the session by opening `resumePath`, with `&received=` and the number of messages it has received. Sent after session.updated, and again as the first message of each new connection; not counted.',
    data: Type.Object({ resumePath, graceSeconds: Type.Integer({ minimum: 1 }) }, closed),
  },
  'session.resumed': {
    doc: 'The session continues on this connection, after everything that the client had missed. Not counted.',
    data: Type.Object(
      {
        received: Type.Integer({
          minimum: 0,
          description: 'How many of the client’s messages have arrived: it sends the rest again.',
        }),
        restored: OneOf(['live', 'history'], {
          description:
            '`live`: nothing is missing. `history`: another instance continues the conversation from the record; both counts start again at 0, and nothing is sent again.',
        }),
      },
      closed,
    ),
  },
  'session.acknowledged': {
    doc: 'The answer to a session.ack with `reply: true`: the connection works. Not counted.',
    data: Type.Object(
      {
        received: Type.Integer({
          minimum: 0,
          description: 'How many of the client’s messages have arrived.',
        }),
      },
      closed,
    ),
  },
  'session.moving': {
    doc: 'The instance is shutting down: open `resumePath` now, to continue the session on another one. Not counted.',
    data: Type.Object({ resumePath }, closed),
  },
  'session.unresumable': {
    doc: 'The session can no longer be resumed: if its connection is lost, it ends.',
    data: Type.Object(
      {
        reason: OneOf(Object.keys(unresumableReasons) as UnresumableReason[], {
          description: Object.entries(unresumableReasons)
            .map(([reason, doc]) => `\`${reason}\`: ${doc}`)
            .join(' '),
        }),
      },
      closed,
    ),
  },
  'session.notice': {
    doc: 'Some fields of a client’s session.update or response.create were ignored, because only the agent or the deployment can set them, or the provider would refuse them. The other fields were accepted.',
    data: Type.Object(
      {
        code: OneOf(Object.keys(noticeCodes) as NoticeCode[]),
        fields: Type.Array(Type.String(), {
          description:
            'The ignored fields, as paths in `session` or `response`, such as `instructions`, `audio.input.format` or `tools[2]`.',
        }),
      },
      closed,
    ),
  },
} as const satisfies Record<string, CustomEvent>;

/** Additional events of a question's stream. */
export const questionEvents = {
  'response.text.delta': {
    doc: 'A piece of the answer, as the model generates it.',
    data: Type.Object({ chatbotId, delta: Type.String() }, closed),
  },
  'question.waiting': {
    doc: 'The question is suspended until somebody decides; the stream stays open.',
    data: QuestionAnswer,
  },
  'question.answered': {
    doc: 'The last event: the response that a caller without streaming gets.',
    data: QuestionAnswer,
  },
  error: {
    doc: 'The last event if there is no answer: the problem that a caller without streaming gets.',
    data: Type.Object({}),
  },
} as const satisfies Record<string, CustomEvent>;

type Events = typeof customEvents & typeof questionEvents;
export type CustomEventName = keyof Events;
export type CustomEvents = { [Name in CustomEventName]: Static<Events[Name]['data']> };

export function customEvent<Name extends CustomEventName>(
  type: Name,
  data: CustomEvents[Name],
): string {
  return JSON.stringify({ type, data });
}
