import type { CloseName } from './close-codes.js';
import type { RealtimeErrorCode } from './realtime-errors.js';

/**
 * Why the service does not forward a client's event. Sent as an `error` event; the session stays
 * open.
 */
export const refusals = {
  EventMalformed: {
    doc: 'The text frame is not a JSON object with exactly one `type`, or its content is ambiguous.',
  },
  SessionUpdateNotAllowed: {
    doc: 'Client overrides are refused, so a client must not send session.update: the service controls the agent’s settings.',
  },
  ResponseOverrideNotAllowed: {
    doc: 'Client overrides are refused, so response.create must not replace the agent’s instructions, tools, tool choice, prompt or input.',
  },
  FunctionOutputNotAllowed: {
    doc: 'The output is not for an open call of a tool that this client declared.',
  },
  ItemNotAllowed: {
    doc: 'The item would speak for the service: its role is system or developer, its type is function_call or mcp_*, or an id is one of the service’s own.',
  },
  ApproverNotAllowed: {
    doc: 'The tool’s `approvers` do not include the client: the call waits for a decision over REST.',
  },
  AcknowledgementInvalid: {
    doc: '`received` in session.ack is not a whole number, or is more than the client was sent.',
  },
  ApprovalNotWaiting: { doc: 'No call with this id is waiting for approval in this session.' },
} as const satisfies Record<string, { doc: string }>;

export type RefusalCode = keyof typeof refusals;

/** Failures of the service outside the relay. Sent as an `error` event; the session stays open. */
export const shortfalls = {
  MessageNotStored: { doc: 'A message could not be stored: it is missing from the record.' },
  DecisionNotStored: { doc: 'A decision could not be stored: the call is still waiting.' },
} as const satisfies Record<string, { doc: string }>;

export type ShortfallCode = keyof typeof shortfalls;

/** What the service reports besides errors, in `session.notice`. */
export const noticeCodes = {
  FieldsNotTaken: {
    doc: 'The client may not set these fields: they keep their values.',
  },
} as const satisfies Record<string, { doc: string }>;

export type NoticeCode = keyof typeof noticeCodes;

/** All values of `code` in the service's own `error` events. */
export type ServiceErrorCode = RefusalCode | ShortfallCode | CloseName | RealtimeErrorCode;

/** An error in the provider's own format, distinguished by its type. */
export function errorEvent(error: {
  eventId: string;
  code: ServiceErrorCode;
  message: string;
  /** The id of the refused client event, if it has one. */
  refusedId?: string | undefined;
}): string {
  const { eventId, code, message, refusedId } = error;
  return JSON.stringify({
    type: 'error',
    event_id: eventId,
    error: { type: 'service_error', code, message, event_id: refusedId },
  });
}
