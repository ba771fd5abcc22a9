import { withCall, type Approval } from './calls.js';
import type { JsonObject } from './read-event.js';
import { eventIdOf, refuse } from './refuse.js';
import { stay, type Effect, type Input, type SessionState, type Step } from './session.js';

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

/** Reports what a call is waiting for now. */
export function callWaits(
  state: SessionState,
  callId: string,
  approvals: readonly Approval[],
): Step {
  const call = state.calls.get(callId);
  if (call?.state !== 'open') return stay(state);
  return stay({ ...state, calls: withCall(state.calls, callId, { ...call, approvals }) });
}

/**
 * Handles approval.approve and approval.reject. A decision already in progress is not sent again.
 */
export function decide(state: SessionState, event: JsonObject): Step {
  const { callId = event['call_id'], call_id = callId } = event;
  if (typeof callId !== 'string' || callId !== call_id)
    return refuse(state, refusals.malformed, event);
  const found = find(state, (approval) => approval.callId === callId && !approval.deciding);
  if (!found) return refuse(state, refusals.late, event);
  if (!found.approval.approvers.includes('client')) return refuse(state, refusals.others, event);
  const approve = event['type'] === 'approval.approve';
  const { id: approvalId } = found.approval;
  const eventId = eventIdOf(event);
  const named = eventId === undefined ? {} : { eventId };
  return stay(mark(state, found, true), { kind: 'decide_call', approvalId, approve, ...named });
}

type DecisionRefused = Extract<Input, { kind: 'decision.refused' }>;

/** The decision came too late, or could not be stored. */
export function decisionRefused(
  state: SessionState,
  { approvalId, because, eventId }: DecisionRefused,
): Step {
  const found = find(state, ({ id }) => id === approvalId);
  const again = found && because === 'unavailable' ? mark(state, found, false) : state;
  const named = eventId === undefined ? {} : { refusedId: eventId };
  return stay(again, { ...refusals[because], ...named });
}

type Found = { readonly callId: string; readonly approval: Approval };

function find(state: SessionState, isIt: (approval: Approval) => boolean): Found | undefined {
  for (const [callId, call] of state.calls) {
    const approval = call.state === 'open' ? call.approvals.find(isIt) : undefined;
    if (approval) return { callId, approval };
  }
  return undefined;
}

function mark(state: SessionState, { callId, approval }: Found, deciding: boolean): SessionState {
  const call = state.calls.get(callId);
  if (!call) return state;
  const approvals = call.approvals.map((one) => (one === approval ? { ...one, deciding } : one));
  return { ...state, calls: withCall(state.calls, callId, { ...call, approvals }) };
}
