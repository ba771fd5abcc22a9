import type { RefusalCode } from '@parley/protocol';
import type { ClientRoute } from './client-routes.js';
import { typed } from './hear.js';
import { isObject, readUnambiguous } from './read-event.js';
import { stay, type ReceivedFrame, type SessionState, type Step } from './session.js';

type Received = { readonly frame: ReceivedFrame; readonly now: number };
type Rule = (state: SessionState, received: Received) => Step;

/** What makes the agent what it is: not for a client to replace. */
const agentFields = ['instructions', 'tools', 'tool_choice', 'prompt', 'input'];

const rules: Readonly<Record<ClientRoute, Rule>> = {
  forward,
  unknown: forward,
  binary: forward,
  settings(state, received) {
    if (state.settings.clientOverrides === 'allow') return forward(state, received);
    return refuse(state, 'SessionUpdateNotAllowed', 'The service sends session.update itself.');
  },
  response(state, received) {
    if (state.settings.clientOverrides === 'allow') return forward(state, received);
    const event = readUnambiguous(received.frame.data, 'response');
    if (!event) return malformed(state);
    const response = event['response'];
    const taken = isObject(response) && agentFields.find((field) => Object.hasOwn(response, field));
    if (!taken) return forward(state, received);
    return refuse(state, 'ResponseOverrideNotAllowed', `response.create must not set ${taken}.`);
  },
  item(state, received) {
    const event = readUnambiguous(received.frame.data, 'item');
    if (!event) return malformed(state);
    const item = event['item'];
    if (isObject(item) && item['type'] === 'function_call_output')
      return answer(state, received, item['call_id']);
    const { ledger, effects } = typed(state.ledger, event, received.now);
    const forwarded = forward({ ...state, ledger }, received);
    return { ...forwarded, effects: [...forwarded.effects, ...effects] };
  },
  approval: (state) =>
    refuse(state, 'ApprovalNotWaiting', 'No such call is waiting for approval in this session.'),
  malformed,
};

export function fromClient(state: SessionState, route: ClientRoute, received: Received): Step {
  return rules[route](state, received);
}

function answer(state: SessionState, received: Received, callId: unknown): Step {
  const call = typeof callId === 'string' ? state.calls.get(callId) : undefined;
  if (typeof callId !== 'string' || call?.owner !== 'client')
    return refuse(state, 'FunctionOutputNotAllowed', 'This is not a call of a client tool.');
  if (call.answered)
    return refuse(state, 'FunctionOutputNotAllowed', 'This call has been answered already.');
  const calls = new Map(state.calls).set(callId, { ...call, answered: true });
  return forward({ ...state, calls }, received);
}

function forward(state: SessionState, { frame }: Received): Step {
  return stay(state, { kind: 'send_provider', frame });
}

function malformed(state: SessionState): Step {
  return refuse(state, 'EventMalformed', 'A text frame is one JSON object with exactly one type.');
}

function refuse(state: SessionState, code: RefusalCode, message: string): Step {
  return stay(state, { kind: 'refuse', code, message });
}
