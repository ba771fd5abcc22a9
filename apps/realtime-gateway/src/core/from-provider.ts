import { hear, type RecordRoute } from './hear.js';
import { replay } from './history.js';
import { injectedPrefix } from './injected.js';
import type { ProviderRoute } from './provider-routes.js';
import { isObject, readObject, type JsonObject } from './read-event.js';
import { echoFor, expiryIn, millisecondsLeft } from './session-echo.js';
import { sessionUpdate } from './session-update.js';
import {
  closeWith,
  stay,
  type Effect,
  type ReceivedFrame,
  type SessionState,
  type Step,
} from './session.js';

type Received = { readonly frame: ReceivedFrame; readonly now: number };
type Rule = (state: SessionState, received: Received) => Step;

/** How long before the end of the session the client is told. */
const expiryNoticeMs = 60_000;

const rules: Readonly<Record<ProviderRoute, Rule>> = {
  forward,
  unknown: forward,
  binary: forward,
  turn: forward,
  audio: forward,
  session(state, received) {
    const event = readObject(received.frame.data);
    if (state.phase === 'greeting' && event?.['type'] === 'session.created')
      return configure(state, received, event);
    if (state.phase === 'configuring' && event?.['type'] === 'session.updated')
      return run(state, received, event);
    return stay(state, {
      kind: 'send_client',
      frame: echoFor(event, received.frame, state.settings),
    });
  },
  error(state, received) {
    const error = readObject(received.frame.data)?.['error'];
    const code = textIn(error, 'code');
    if (state.phase !== 'running') {
      const reason = [code, textIn(error, 'message')].filter(Boolean).join(': ');
      return closeWith(state, 'ProviderUnavailable', refusedBecause(reason));
    }
    if (textIn(error, 'event_id').startsWith(injectedPrefix))
      return stay(state, { kind: 'report', code });
    return forward(state, received);
  },
  call(state, received) {
    const event = readObject(received.frame.data);
    const source = isObject(event?.['item']) ? event['item'] : event;
    return forward(withCall(state, source), received);
  },
  slot: (state, received) => noting(state, received, 'slot'),
  transcript: (state, received) => noting(state, received, 'transcript'),
  answer: (state, received) => noting(state, received, 'answer'),
  truncation: (state, received) => noting(state, received, 'truncation'),
  outcome: (state, received) => noting(state, received, 'outcome'),
};

export function fromProvider(state: SessionState, route: ProviderRoute, received: Received): Step {
  return rules[route](state, received);
}

export function refusedBecause(reason: string): string {
  return `The provider refused the session: ${reason || 'it gave no reason'}`;
}

function configure(state: SessionState, { frame }: Received, event: JsonObject): Step {
  const { settings } = state;
  return stay(
    { ...state, phase: 'configuring', providerEndsAt: expiryIn(event) },
    { kind: 'send_client', frame: echoFor(event, frame, settings) },
    toProvider(sessionUpdate(settings)),
  );
}

function run(state: SessionState, { frame, now }: Received, event: JsonObject): Step {
  const { settings } = state;
  const left = millisecondsLeft(settings, expiryIn(event) ?? state.providerEndsAt, now);
  const notice = Math.min(left, expiryNoticeMs);
  return stay(
    { ...state, phase: 'running', noticeSeconds: Math.ceil(notice / 1000) },
    { kind: 'send_client', frame: echoFor(event, frame, settings) },
    ...replay(settings.history).map(toProvider),
    { kind: 'disarm_timer', timer: 'ready' },
    { kind: 'arm_timer', timer: 'idle', milliseconds: settings.idleTimeoutSeconds * 1000 },
    { kind: 'arm_timer', timer: 'expiring', milliseconds: left - notice },
    { kind: 'arm_timer', timer: 'end', milliseconds: left },
    { kind: 'resume_client' },
  );
}

function toProvider(data: string): Effect {
  return { kind: 'send_provider', frame: { data, binary: false } };
}

/** Calls are announced by output items and again by their arguments; some providers leave the name out of one of them. */
function withCall(state: SessionState, source: JsonObject | undefined): SessionState {
  const callId = source?.['call_id'];
  const name = source?.['name'];
  if (typeof callId !== 'string' || typeof name !== 'string' || state.calls.has(callId))
    return state;
  const owner = state.settings.clientTools.some((tool) => tool.name === name)
    ? 'client'
    : 'backend';
  return { ...state, calls: new Map(state.calls).set(callId, { owner, answered: false }) };
}

/** Forwards first, whatever the record makes of the event. */
function noting(state: SessionState, received: Received, route: RecordRoute): Step {
  const event = readObject(received.frame.data);
  if (!event) return forward(state, received);
  const { model: response, transcriptionModel: transcription } = state.settings;
  const heard = { event, now: received.now, models: { response, transcription } };
  const { ledger, effects } = hear[route](state.ledger, heard);
  const forwarded = forward({ ...state, ledger }, received);
  return { ...forwarded, effects: [...forwarded.effects, ...effects] };
}

function textIn(source: unknown, key: string): string {
  const value = isObject(source) ? source[key] : undefined;
  return typeof value === 'string' ? value : '';
}

function forward(state: SessionState, { frame }: Received): Step {
  return stay(state, { kind: 'send_client', frame });
}
