import { customEvent, isObject, type JsonObject } from '@parley/protocol';
import { throughDoor } from './door.js';
import { hear, type Heard, type RecordRoute } from './hear.js';
import { inPlace, replay } from './history.js';
import { leavesOf } from './merge-session.js';
import { withGranted } from './overrides.js';
import { ownKind } from './own-ids.js';
import type { ProviderRoute } from './provider-routes.js';
import { refusedWith } from './provider-side.js';
import { maxReadBytes, readObject, textIn } from './read-event.js';
import { acknowledge } from './echoes.js';
import { notOpened, providerLost, renewalTimers, whileRenewing } from './renewal.js';
import { echoFor, expiryIn, millisecondsLeft } from './session-echo.js';
import { sessionUpdate } from './session-update.js';
import { createRefused, inputHeard, responseBegan } from './asking.js';
import { mentioned, responseEnded, withAdopted } from './tool-calls.js';
import {
  closeWith,
  sendClient,
  sendProvider,
  stay,
  type Effect,
  type ReceivedFrame,
  type SessionSettings,
  type Received,
  type SessionState,
  type Step,
  type ToolDeclaration,
} from './session.js';

type Rule = (state: SessionState, received: Received) => Step;

/** How long before the end of the session the client is notified. */
const expiryNoticeMs = 60_000;

/** The error with which the provider ends a session at its maximum duration. */
const expired = 'session_expired';

const rules: Readonly<Record<ProviderRoute, Rule>> = {
  forward,
  unknown: forward,
  binary: forward,
  mention: forward,
  turn: forward,
  audio: (state, received) => forward(state.spoken ? state : { ...state, spoken: true }, received),
  session(state, received) {
    const event = readObject(received.frame.data);
    // This event must be read: it opens the session, and its echo may need redaction.
    if (received.frame.data.length > maxReadBytes)
      return closeWith(state, 'MessageTooBig', 'The provider’s session event is too large.');
    if (state.phase === 'greeting' && event?.['type'] === 'session.created')
      return greeted(state, received, event);
    if (state.phase === 'configuring' && event?.['type'] === 'session.updated')
      return run(state, received, event);
    return stay(granted(state, event), {
      kind: 'send_client',
      frame: echoFor(event, received.frame, state),
    });
  },
  error(state, received) {
    const error = readObject(received.frame.data)?.['error'];
    const code = textIn(error, 'code');
    if (state.phase !== 'running')
      return notOpened(state, { name: 'ProviderUnavailable', message: refusedWith(error) });
    if (code === expired && state.settings.providerRenewals > 0)
      return providerLost(state, {
        reason: 'expired',
        message: 'The provider’s session reached its maximum duration.',
      });
    const eventId = textIn(error, 'event_id');
    const ours = ownKind(state.settings.codeFor, eventId) !== undefined;
    const told: Effect = ours ? { kind: 'report', code } : toClient(received);
    return telling(told, createRefused(state, eventId, code));
  },
  call: (state, received) => calling(state, received, mentioned),
  beginning: (state, received) => calling(state, received, responseBegan),
  speech: (state, received) => calling(state, received, inputHeard),
  slot(state, received) {
    const event = readObject(received.frame.data);
    if (!event) return forward(state, received);
    // The service's own items are history or outputs, both of which are already recorded.
    const noted = isOwnItem(state, event)
      ? stay(state)
      : note(state, { event, now: received.now }, 'slot');
    const { state: next, effects } = inputHeard(noted.state, event);
    return { state: next, effects: [toClient(received), ...noted.effects, ...effects] };
  },
  transcript: (state, received) => noting(state, received, 'transcript'),
  answer(state, received) {
    const event = readObject(received.frame.data);
    if (!event || isBeside(state, event['response_id'])) return forward(state, received);
    return telling(toClient(received), note(state, { event, now: received.now }, 'answer'));
  },
  truncation: (state, received) => noting(state, received, 'truncation'),
  outcome(state, received) {
    const event = readObject(received.frame.data);
    if (!event) return forward(state, received);
    const response = isObject(event['response']) ? event['response'] : {};
    const route = isBeside(state, response['id']) ? 'aside' : 'outcome';
    const noted = note(state, { event, now: received.now }, route);
    const ended = responseEnded(noted.state, event, received.now);
    return { ...ended, effects: [toClient(received), ...noted.effects, ...ended.effects] };
  },
};

export function fromProvider(state: SessionState, route: ProviderRoute, received: Received): Step {
  if (state.phase === 'renewing') return whileRenewing(state, route, received);
  const acknowledged = acknowledge(state, route, received);
  if (acknowledged) return stay(acknowledged);
  const step = rules[route](state, received);
  return state.settings.door ? throughDoor(step, route, received.frame) : step;
}

function greeted(state: SessionState, { frame }: Received, event: JsonObject): Step {
  const { side, settings } = state;
  const { door, backendTools } = settings;
  const told: Effect[] = [
    ...echoed(state, event, frame),
    ...(door ? [tellConversation(door)] : []),
  ];
  const { state: next, effects } = stay(
    {
      ...state,
      phase: 'listing',
      providerEndsAt: expiryIn(event),
      side: { ...side, greeted: true },
    },
    ...(side.greeted ? [] : told),
  );
  if (backendTools) return configure(next, effects);
  // The time that listing the tools takes does not count against the provider.
  return stay(next, ...effects, { kind: 'disarm_timer', timer: 'ready' });
}

/** Resumes what waited for the agent's tools. */
export function toolsListed(state: SessionState, backendTools: readonly ToolDeclaration[]): Step {
  const settings = { ...state.settings, backendTools };
  const listed = { ...state, settings };
  if (state.phase !== 'listing') return stay(listed);
  const milliseconds = settings.connectTimeoutSeconds * 1000;
  return configure(listed, [{ kind: 'arm_timer', timer: 'ready', milliseconds }]);
}

function configure(state: SessionState, effects: readonly Effect[]): Step {
  const update = sendProvider(sessionUpdate(state));
  return stay({ ...state, phase: 'configuring' }, ...effects, update);
}

/** What the provider made of a change by a client that may change everything. */
function granted(state: SessionState, event: JsonObject | undefined): SessionState {
  const { overrides } = state;
  const session = event?.['session'];
  if (overrides.asked.size === 0 || !isObject(session)) return state;
  return { ...state, overrides: withGranted(overrides, leavesOf(session)) };
}

function tellConversation({ conversationId }: { conversationId: string }): Effect {
  const data = customEvent('session.conversation', { conversationId });
  return sendClient(data);
}

function run(state: SessionState, { frame, now }: Received, event: JsonObject): Step {
  const { settings } = state;
  const providerEndsAt = expiryIn(event) ?? state.providerEndsAt;
  const left = millisecondsLeft(settings, providerEndsAt, now);
  const notice = Math.min(left, expiryNoticeMs);
  const { calls, items, turn } = withAdopted(state);
  const replayed = replay(inPlace(settings.history, items), settings.codeFor);
  const side = settings.isRestored
    ? { ...state.side, echoes: new Set(replayed.flatMap(({ id }) => id ?? [])) }
    : state.side;
  const noticeSeconds = Math.ceil(notice / 1000);
  return stay(
    { ...state, calls, turn, side, phase: 'running', providerEndsAt, noticeSeconds },
    ...echoed(state, event, frame),
    ...resumeOffer(settings),
    ...replayed.map(({ event: item }) => sendProvider(item)),
    { kind: 'disarm_timer', timer: 'ready' },
    { kind: 'arm_timer', timer: 'expiring', milliseconds: left - notice },
    { kind: 'arm_timer', timer: 'end', milliseconds: left },
    ...(providerEndsAt === undefined ? [] : renewalTimers(state, providerEndsAt, now)),
    { kind: 'resume_client' },
    ...settings.adopted.map((call): Effect => ({ kind: 'adopt_call', call })),
  );
}

function resumeOffer({ resumeGraceSeconds, isRestored }: SessionSettings): Effect[] {
  if (resumeGraceSeconds === null) return [];
  return [{ kind: 'offer_resume', graceSeconds: resumeGraceSeconds, isRestored }];
}

/** The client of a restored session got these events from the session before. */
function echoed(state: SessionState, event: JsonObject, frame: ReceivedFrame): Effect[] {
  if (state.settings.isRestored) return [];
  return [{ kind: 'send_client', frame: echoFor(event, frame, state) }];
}

/** Forwards first, whatever the event changes about the calls. */
function calling(
  state: SessionState,
  received: Received,
  rule: (state: SessionState, event: JsonObject, now: number) => Step,
): Step {
  const event = readObject(received.frame.data);
  if (!event) return forward(state, received);
  return telling(toClient(received), rule(state, event, received.now));
}

function telling(told: Effect, { state, effects }: Step): Step {
  return { state, effects: [told, ...effects] };
}

/** Forwards first, whatever the event changes in the record. */
function noting(state: SessionState, received: Received, route: RecordRoute): Step {
  const event = readObject(received.frame.data);
  if (!event) return forward(state, received);
  return telling(toClient(received), note(state, { event, now: received.now }, route));
}

function note(
  state: SessionState,
  { event, now }: { event: JsonObject; now: number },
  route: RecordRoute,
): Step {
  const models = modelsOf(state);
  const { ledger, effects } = hear[route](state.ledger, { event, now, models });
  return stay({ ...state, ledger }, ...effects);
}

/** Whether a response is outside the conversation, and so not on its record. */
function isBeside({ turn }: SessionState, responseId: unknown): boolean {
  return typeof responseId === 'string' && turn.beside.includes(responseId);
}

function modelsOf({ settings, overrides }: SessionState): Heard['models'] {
  const asked = overrides.fields.get('audio.input.transcription');
  const transcription = textIn(asked, 'model') || settings.transcriptionModel;
  return { response: settings.model, transcription };
}

function isOwnItem({ settings }: SessionState, { item }: JsonObject): boolean {
  const id = isObject(item) ? item['id'] : undefined;
  return typeof id === 'string' && ownKind(settings.codeFor, id) !== undefined;
}

function forward(state: SessionState, received: Received): Step {
  return stay(state, toClient(received));
}

function toClient({ frame }: Received): Effect {
  return { kind: 'send_client', frame };
}
