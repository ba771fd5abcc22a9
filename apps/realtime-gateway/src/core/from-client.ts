import type { RefusalCode } from '@parley/protocol';
import type { ClientRoute } from './client-routes.js';
import { isObject, readUnambiguous } from './read-event.js';
import { stay, type ReceivedFrame, type SessionState, type Step } from './session.js';

type Rule = (state: SessionState, frame: ReceivedFrame) => Step;

/** What makes the agent what it is: not for a client to replace. */
const agentFields = ['instructions', 'tools', 'tool_choice', 'prompt', 'input'];

const rules: Readonly<Record<ClientRoute, Rule>> = {
  forward,
  unknown: forward,
  binary: forward,
  settings(state, frame) {
    if (state.settings.clientOverrides === 'allow') return forward(state, frame);
    return refuse(state, 'SessionUpdateNotAllowed', 'The service sends session.update itself.');
  },
  response(state, frame) {
    if (state.settings.clientOverrides === 'allow') return forward(state, frame);
    const event = readUnambiguous(frame.data, 'response');
    if (!event) return malformed(state);
    const response = event['response'];
    const taken = isObject(response) && agentFields.find((field) => Object.hasOwn(response, field));
    if (!taken) return forward(state, frame);
    return refuse(state, 'ResponseOverrideNotAllowed', `response.create must not set ${taken}.`);
  },
  item(state, frame) {
    const event = readUnambiguous(frame.data, 'item');
    if (!event) return malformed(state);
    const item = event['item'];
    if (!isObject(item) || item['type'] !== 'function_call_output') return forward(state, frame);
    return answer(state, frame, item['call_id']);
  },
  approval: (state) =>
    refuse(state, 'ApprovalNotWaiting', 'No such call is waiting for approval in this session.'),
  malformed,
};

export function fromClient(state: SessionState, route: ClientRoute, frame: ReceivedFrame): Step {
  return rules[route](state, frame);
}

function answer(state: SessionState, frame: ReceivedFrame, callId: unknown): Step {
  const call = typeof callId === 'string' ? state.calls.get(callId) : undefined;
  if (typeof callId !== 'string' || call?.owner !== 'client')
    return refuse(state, 'FunctionOutputNotAllowed', 'This is not a call of a client tool.');
  if (call.answered)
    return refuse(state, 'FunctionOutputNotAllowed', 'This call has been answered already.');
  const calls = new Map(state.calls).set(callId, { ...call, answered: true });
  return forward({ ...state, calls }, frame);
}

function forward(state: SessionState, frame: ReceivedFrame): Step {
  return stay(state, { kind: 'send_provider', frame });
}

function malformed(state: SessionState): Step {
  return refuse(state, 'EventMalformed', 'A text frame is one JSON object with exactly one type.');
}

function refuse(state: SessionState, code: RefusalCode, message: string): Step {
  return stay(state, { kind: 'refuse', code, message });
}
