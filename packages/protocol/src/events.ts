import type { CloseName } from './close-codes.js';
import type { RealtimeErrorCode } from './errors.js';

/** Why the service does not pass a client's event on. Sent as an `error` event; the session stays open. */
export const refusals = {
  EventMalformed: {
    doc: 'The text frame is not a JSON object with exactly one `type`, or its content is ambiguous.',
  },
  SessionUpdateNotAllowed: {
    doc: 'The agent’s settings belong to the service; a client does not send session.update.',
  },
  ResponseOverrideNotAllowed: {
    doc: 'response.create must not replace the agent’s instructions, tools, tool choice, prompt or input.',
  },
  FunctionOutputNotAllowed: {
    doc: 'The output is not for an open call of a tool that this client declared.',
  },
  ApprovalNotWaiting: { doc: 'No call with this id is waiting for approval in this session.' },
} as const satisfies Record<string, { doc: string }>;

export type RefusalCode = keyof typeof refusals;

/** What the service could not do beside the relay. Sent as an `error` event; the session stays open. */
export const shortfalls = {
  MessageNotStored: { doc: 'A message was said but could not be stored: the record lacks it.' },
  DecisionNotStored: { doc: 'A decision about a call could not be stored: the call still waits.' },
} as const satisfies Record<string, { doc: string }>;

export type ShortfallCode = keyof typeof shortfalls;

/** Everything that the `code` of the service's own `error` events can be. */
export type ServiceErrorCode = RefusalCode | ShortfallCode | CloseName | RealtimeErrorCode;

/** An error in the shape of the provider's own, told apart by its type. */
export function errorEvent(error: {
  eventId: string;
  code: ServiceErrorCode;
  message: string;
}): string {
  const { eventId, code, message } = error;
  return JSON.stringify({
    type: 'error',
    event_id: eventId,
    error: { type: 'service_error', code, message },
  });
}

/** Events that the service adds to the provider's, and what their `data` holds. */
export type CustomEvents = {
  'message.created': {
    chatbotId: string;
    id: string;
    role: 'user';
    content: string;
    createdAt: string;
  };
  'response.id': { chatbotId: string; id: string };
  'response.completed': { chatbotId: string };
  'session.expiring': { reason: CloseName; secondsLeft: number };
  'response.function_invocation.start': {
    /** Of the tool's message in the conversation. */
    id: string;
    callId: string;
    title: string | null;
    imageUrl: string | null;
    chatbotId: string;
    /** Parsed; the text itself where it is no JSON. */
    arguments: unknown;
    approvalRequired: boolean;
    functionName: string;
  };
  'response.function_invocation.done': {
    id: string;
    callId: string;
    text: string;
    title: string | null;
    imageUrl: string | null;
    button: { label: string; link: string } | null;
    buttonLabel: string | null;
    buttonLink: string | null;
    chatbotId: string;
    /** 1 success, 2 failed. */
    status: 1 | 2;
    executionTimeSeconds: number;
  };
  'approval.waiting': { callId: string; messageId: string; timeoutSeconds: number };
  'approval.approved': { callId: string; messageId: string };
  'approval.expired': { callId: string; messageId: string };
  'subagent.start': {
    /** Of the agent that is asked. */
    id: string;
    name: string;
    icon: string | null;
    iconColor: string | null;
    callId: string;
  };
  'subagent.done': { chatbotId: string };
};

export function customEvent<Type extends keyof CustomEvents>(
  type: Type,
  data: CustomEvents[Type],
): string {
  return JSON.stringify({ type, data });
}
