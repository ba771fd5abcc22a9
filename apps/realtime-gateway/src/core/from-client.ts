import type { RefusalCode } from '@parley/protocol';
import { decide } from './approvals.js';
import type { ClientRoute } from './client-routes.js';
import { typed } from './hear.js';
import { isObject, readObject, readUnambiguous } from './read-event.js';
import { stay, type ReceivedFrame, type SessionState, type Step } from './session.js';
import { clientAnswered, clientAsked } from './tool-calls.js';

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
    const { frame } = received;
    if (state.settings.clientOverrides === 'allow')
      return clientAsked(state, frame, readObject(frame.data)?.['response']);
    const event = readUnambiguous(frame.data, 'response');
    if (!event) return malformed(state);
    const response = event['response'];
    const taken = isObject(response) && agentFields.find((field) => Object.hasOwn(response, field));
    if (!taken) return clientAsked(state, frame, response);
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
  approval(state, { frame }) {
    const event = readUnambiguous(frame.data, 'data');
    return event ? decide(state, event) : malformed(state);
  },
  malformed,
};

export function fromClient(state: SessionState, route: ClientRoute, received: Received): Step {
  return rules[route](state, received);
}

function answer(state: SessionState, { frame }: Received, callId: unknown): Step {
  const step = typeof callId === 'string' ? clientAnswered(state, callId, frame) : 'foreign';
  if (step === 'foreign')
    return refuse(state, 'FunctionOutputNotAllowed', 'This is not a call of a client tool.');
  if (step === 'late')
    return refuse(state, 'FunctionOutputNotAllowed', 'This call has been answered already.');
  return step;
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
