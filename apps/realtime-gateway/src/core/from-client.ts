import { isObject, type JsonObject } from '@parley/protocol';
import { decide } from './approvals.js';
import { isOutput, objectionTo } from './client-items.js';
import type { ClientRoute } from './client-routes.js';
import { typed } from './hear.js';
import { leavesOf, mergeSession } from './merge-session.js';
import { withAsked } from './overrides.js';
import { ruleOf } from './session-fields.js';
import { withRemoved } from './provider-side.js';
import { readCareful, readObject, readUnambiguous } from './read-event.js';
import { eventIdOf, refuse } from './refuse.js';
import { agentFieldsIn, withoutAgentFields } from './response-fields.js';
import {
  stay,
  type Effect,
  type Frame,
  type Received,
  type SessionState,
  type Step,
} from './session.js';
import { clientAsked, clientSaid, detectionChanged } from './asking.js';
import { clientAnswered, outputRefused } from './tool-calls.js';

type Rule = (state: SessionState, received: Received) => Step;

const rules: Readonly<Record<ClientRoute, Rule>> = {
  forward,
  unknown: forward,
  binary: forward,
  settings(state, received) {
    const event = readObject(received.frame.data);
    if (mayOverride(state)) return forward(asking(state, event?.['session']), received);
    const isOther = event?.['type'] === 'transcription_session.update';
    if (state.settings.clientOverrides === 'merge' && !isOther) return update(state, received);
    const message = 'The service sends session.update itself.';
    return refuse(state, { code: 'SessionUpdateNotAllowed', message }, event);
  },
  response(state, { frame }) {
    if (mayOverride(state)) return clientAsked(state, frame, readObject(frame.data)?.['response']);
    const event = readUnambiguous(frame.data, 'response');
    if (!event) return malformed(state, { frame });
    const objection = objectionTo(event, {});
    if (objection !== undefined) return notAllowed(state, objection, event);
    const replaced = agentFieldsIn(state, event);
    const [first] = replaced;
    if (first === undefined) return clientAsked(state, frame, event['response']);
    if (state.settings.clientOverrides === 'merge') {
      const rest = withoutAgentFields(event, replaced);
      const asked = clientAsked(state, asText(rest), rest['response']);
      return { ...asked, effects: [...asked.effects, notice(replaced)] };
    }
    const message = `response.create must not set ${first}.`;
    return refuse(state, { code: 'ResponseOverrideNotAllowed', message }, event);
  },
  item(state, received) {
    const event = readUnambiguous(received.frame.data, 'item');
    if (!event) return malformed(state, received);
    const item = isObject(event['item']) ? event['item'] : {};
    const objection = mayOverride(state) ? undefined : objectionTo(event, item);
    if (objection !== undefined) return notAllowed(state, objection, event);
    if (isOutput(item)) return answer(state, received, { event, item });
    const { ledger, effects } = typed(state.ledger, event, received.now);
    const forwarded = forward(clientSaid({ ...state, ledger }), received);
    return { ...forwarded, effects: [...forwarded.effects, ...effects] };
  },
  removal(state, received) {
    const { data } = received.frame;
    const event = mayOverride(state) ? (readObject(data) ?? {}) : readUnambiguous(data, 'item');
    if (!event) return malformed(state, received);
    const { item_id: id } = event;
    const objection = mayOverride(state) ? undefined : objectionTo(event, { id });
    if (objection !== undefined) return notAllowed(state, objection, event);
    const side = typeof id === 'string' ? withRemoved(state.side, id) : state.side;
    return forward({ ...state, side }, received);
  },
  approval(state, { frame }) {
    const event = readUnambiguous(frame.data, 'data');
    return event ? decide(state, event) : malformed(state, { frame });
  },
  ack(state, received) {
    if (state.settings.resumeGraceSeconds === null) return forward(state, received);
    const event = readCareful(received.frame.data);
    const count = event?.['received'];
    if (isCount(count)) {
      const reply = event?.['reply'] === true;
      const refusedId = eventIdOf(event);
      return stay(state, { kind: 'acknowledge', received: count, reply, refusedId });
    }
    const message = 'session.ack must have a whole number in received.';
    return refuse(state, { code: 'AcknowledgementInvalid', message }, event);
  },
  malformed,
};

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function fromClient(state: SessionState, route: ClientRoute, received: Received): Step {
  return rules[route](state, received);
}

function mayOverride({ settings }: SessionState): boolean {
  return settings.clientOverrides === 'allow';
}

/**
 * A provider that continues the session is configured like this one, so it matters which of the
 * known fields the client asks for.
 */
function asking(state: SessionState, session: unknown): SessionState {
  if (!isObject(session)) return state;
  const paths = [...leavesOf(session).keys()].flatMap((name) => ruleOf(name)?.[0] ?? []);
  const changeable = paths.filter((path) => path !== 'type' && path !== 'model');
  return { ...state, overrides: withAsked(state.overrides, changeable) };
}

/** Handles a session.update: applies the fields that the agent leaves open. */
function update(state: SessionState, { frame }: Received): Step {
  const event = readCareful(frame.data);
  if (!event) return malformed(state, { frame });
  const objection = objectionTo(event, {});
  if (objection !== undefined) return notAllowed(state, objection, event);
  const { event_id, session } = event;
  if (!isObject(session)) {
    const message = 'session.update must have an object in session.';
    return refuse(state, { code: 'EventMalformed', message }, event);
  }
  const merged = mergeSession(state, { event_id, session });
  const { state: next, effects } = detectionChanged(state, merged.state);
  const told = merged.left.length > 0 ? [notice(merged.left)] : [];
  const sent: Effect = { kind: 'send_provider', frame: asText(merged.event) };
  return { state: next, effects: [sent, ...told, ...effects] };
}

/**
 * Limits the fields listed in a notice: a client that requests nonsense does not get all of it
 * back.
 */
const maxNoticed = 100;
const maxFieldLength = 100;

function notice(left: readonly string[]): Effect {
  const fields = left.slice(0, maxNoticed).map((field) => field.slice(0, maxFieldLength));
  return { kind: 'notice', code: 'FieldsNotTaken', fields };
}

function asText(event: JsonObject): Frame {
  return { data: JSON.stringify(event), binary: false };
}

function answer(
  state: SessionState,
  { frame }: Received,
  { event, item }: { event: JsonObject; item: JsonObject },
): Step {
  const step = clientAnswered(state, frame, item);
  if (typeof step !== 'string') return step;
  const message =
    step === 'foreign'
      ? 'This is not a call of a client tool.'
      : 'This call has been answered already.';
  const refused = outputRefused(state, item['call_id']);
  return refuse(refused, { code: 'FunctionOutputNotAllowed', message }, event);
}

function forward(state: SessionState, { frame }: Received): Step {
  return stay(state, { kind: 'send_provider', frame });
}

function notAllowed(state: SessionState, message: string, event: JsonObject): Step {
  return refuse(state, { code: 'ItemNotAllowed', message }, event);
}

/** Includes the event's id if it can be read at all. */
function malformed(state: SessionState, { frame }: Pick<Received, 'frame'>): Step {
  const message = 'A text frame must be a JSON object with exactly one type.';
  return refuse(state, { code: 'EventMalformed', message }, readObject(frame.data));
}
