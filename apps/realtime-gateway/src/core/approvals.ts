import type { JsonObject } from '@parley/protocol';
import { callLimits, openCalls, type Approval } from './calls.js';
import { eventIdOf, refuse } from './refuse.js';
import {
  sendClient,
  stay,
  type Effect,
  type Input,
  type SessionState,
  type Step,
} from './session.js';

const refusals = {
  malformed: {
    kind: 'refuse',
    code: 'EventMalformed',
    message: 'An approval must name one call, in callId or call_id.',
  },
  others: {
    kind: 'refuse',
    code: 'ApproverNotAllowed',
    message: 'The client may not decide this call. It waits for a decision over REST.',
  },
  late: {
    kind: 'refuse',
    code: 'ApprovalNotWaiting',
    message: 'No such call is waiting for approval in this session.',
  },
  unavailable: {
    kind: 'tell_error',
    code: 'DecisionNotStored',
    message:
      'The decision could not be stored. The call is still waiting: send the decision again.',
  },
} as const satisfies Record<string, Effect>;

type Told = Extract<Input, { kind: 'call.told' }>;

/** Tells the client of a call, and remembers what it was asked to decide. */
export function told(state: SessionState, { event, asked }: Told): Step {
  const effect = sendClient(event);
  if (!asked) return stay(state, effect);
  const others = state.asked.filter(({ id }) => id !== asked.id);
  return stay({ ...state, asked: [...others, asked].slice(-callLimits.asked) }, effect);
}

/**
 * Handles approval.approve and approval.reject. A decision already in progress is not sent again.
 */
export function decide(state: SessionState, event: JsonObject): Step {
  const { callId = event['call_id'], call_id = callId } = event;
  if (typeof callId !== 'string' || callId !== call_id)
    return refuse(state, refusals.malformed, event);
  const asked = state.asked.findLast((one) => one.callId === callId && !one.deciding);
  if (!asked || openCalls(state.calls) === 0) return refuse(state, refusals.late, event);
  if (!asked.approvers.includes('client')) return refuse(state, refusals.others, event);
  const approve = event['type'] === 'approval.approve';
  const { id: approvalId } = asked;
  const eventId = eventIdOf(event);
  const named = eventId === undefined ? {} : { eventId };
  return stay(mark(state, asked, true), { kind: 'decide_call', approvalId, approve, ...named });
}

type DecisionRefused = Extract<Input, { kind: 'decision.refused' }>;

/** The decision came too late, or could not be stored. */
export function decisionRefused(
  state: SessionState,
  { approvalId, because, eventId }: DecisionRefused,
): Step {
  const asked = state.asked.find(({ id }) => id === approvalId);
  const again = asked && because === 'unavailable' ? mark(state, asked, false) : state;
  const named = eventId === undefined ? {} : { refusedId: eventId };
  return stay(again, { ...refusals[because], ...named });
}

function mark(state: SessionState, approval: Approval, deciding: boolean): SessionState {
  const asked = state.asked.map((one) => (one === approval ? { ...one, deciding } : one));
  return { ...state, asked };
}
