import { decide } from './approvals.js';
import { isOutput, objectionTo } from './client-items.js';
import type { ClientRoute } from './client-routes.js';
import { typed } from './hear.js';
import { isObject, readObject, readUnambiguous, type JsonObject } from './read-event.js';
import { refuse } from './refuse.js';
import { stay, type ReceivedFrame, type SessionState, type Step } from './session.js';
import { clientAnswered, clientAsked, outputRefused } from './tool-calls.js';

type Received = { readonly frame: ReceivedFrame; readonly now: number };
type Rule = (state: SessionState, received: Received) => Step;

/** What makes the agent what it is: not for a client to replace. */
const agentFields = ['instructions', 'tools', 'tool_choice', 'prompt', 'input'];

const rules: Readonly<Record<ClientRoute, Rule>> = {
  forward,
  unknown: forward,
  binary: forward,
  settings(state, received) {
    if (mayOverride(state)) return forward(state, received);
    const message = 'The service sends session.update itself.';
    const event = readObject(received.frame.data);
    return refuse(state, { code: 'SessionUpdateNotAllowed', message }, event);
  },
  response(state, { frame }) {
    if (mayOverride(state)) return clientAsked(state, frame, readObject(frame.data)?.['response']);
    const event = readUnambiguous(frame.data, 'response');
    if (!event) return malformed(state);
    const objection = objectionTo(event, {});
    if (objection !== undefined) return notAllowed(state, objection, event);
    const response = event['response'];
    const taken = replacedIn(event) ?? (isObject(response) ? replacedIn(response) : undefined);
    if (taken === undefined) return clientAsked(state, frame, response);
    const message = `response.create must not set ${taken}.`;
    return refuse(state, { code: 'ResponseOverrideNotAllowed', message }, event);
  },
  item(state, received) {
    const event = readUnambiguous(received.frame.data, 'item');
    if (!event) return malformed(state);
    const item = isObject(event['item']) ? event['item'] : {};
    const objection = mayOverride(state) ? undefined : objectionTo(event, item);
    if (objection !== undefined) return notAllowed(state, objection, event);
    if (isOutput(item)) return answer(state, received, { event, callId: item['call_id'] });
    const { ledger, effects } = typed(state.ledger, event, received.now);
    const forwarded = forward({ ...state, ledger }, received);
    return { ...forwarded, effects: [...forwarded.effects, ...effects] };
  },
  removal(state, received) {
    if (mayOverride(state)) return forward(state, received);
    const event = readUnambiguous(received.frame.data, 'item');
    if (!event) return malformed(state);
    const objection = objectionTo(event, { id: event['item_id'] });
    return objection === undefined ? forward(state, received) : notAllowed(state, objection, event);
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

function mayOverride({ settings }: SessionState): boolean {
  return settings.clientOverrides === 'allow';
}

/** Some servers take the fields of a response beside it, too. */
function replacedIn(source: JsonObject): string | undefined {
  return agentFields.find((field) => Object.hasOwn(source, field));
}

function answer(
  state: SessionState,
  { frame }: Received,
  { event, callId }: { event: JsonObject; callId: unknown },
): Step {
  const step = typeof callId === 'string' ? clientAnswered(state, callId, frame) : 'foreign';
  if (typeof step !== 'string') return step;
  const message =
    step === 'foreign'
      ? 'This is not a call of a client tool.'
      : 'This call has been answered already.';
  const refused = outputRefused(state, callId);
  return refuse(refused, { code: 'FunctionOutputNotAllowed', message }, event);
}

function forward(state: SessionState, { frame }: Received): Step {
  return stay(state, { kind: 'send_provider', frame });
}

function notAllowed(state: SessionState, message: string, event: JsonObject): Step {
  return refuse(state, { code: 'ItemNotAllowed', message }, event);
}

function malformed(state: SessionState): Step {
  const message = 'A text frame is one JSON object with exactly one type.';
  return refuse(state, { code: 'EventMalformed', message });
}
