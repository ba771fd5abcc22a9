import { isObject, type JsonObject } from '@parley/protocol';
import { callsOf } from './calls.js';
import type { Frame } from './frame.js';
import { ownId, ownKind } from './own-ids.js';
import { idIn } from './read-event.js';
import { follow, sendProvider, stay, type SessionState, type Step } from './session.js';
import { sessionFields } from './session-update.js';
import {
  aside,
  begin,
  byClient,
  canSpeak,
  disregard,
  isCovered,
  refused,
  responseToAwait,
  takeOutput,
} from './turn.js';

/**
 * Handles response.created. A response outside the conversation blocks nobody, and the outputs of
 * its calls would have no place.
 */
export function responseBegan(state: SessionState, event: JsonObject): Step {
  const response = isObject(event['response']) ? event['response'] : {};
  const id = idIn(response, 'id') ?? '';
  const { turn } = state;
  if (response['conversation_id'] !== null) return stay({ ...state, turn: begin(turn, id) });
  return stay({ ...state, turn: turn.asides ? aside(turn, id) : disregard(turn, id) });
}

/** The user is speaking or has spoken, or an item was added to the conversation. */
export function inputHeard(state: SessionState, event: JsonObject): Step {
  const { turn } = state;
  const by = (user: SessionState['turn']['user']) =>
    proceed(stay({ ...state, turn: { ...turn, user } }));
  switch (event['type']) {
    case 'input_audio_buffer.speech_started':
      return by('speaks');
    case 'input_audio_buffer.cleared':
      return by('silent');
    case 'input_audio_buffer.committed':
      if (turn.user === 'silent') return stay(state);
      return by(answersByItself(state) ? 'spoke' : 'silent');
    default: {
      const itemId = isObject(event['item']) ? idIn(event['item'], 'id') : undefined;
      return stay(itemId === undefined ? state : { ...state, turn: takeOutput(turn, itemId) });
    }
  }
}

/**
 * Whether the provider responds on its own once the user has spoken. A client that may change
 * everything may have disabled this.
 */
function answersByItself(state: SessionState): boolean {
  if (state.settings.clientOverrides === 'allow') return false;
  const detection = sessionFields(state).get('audio.input.turn_detection');
  return isObject(detection) && detection['create_response'] !== false;
}

/**
 * The client changed turn detection: if the provider no longer responds on its own, stop waiting
 * for its response.
 */
export function detectionChanged(before: SessionState, after: SessionState): Step {
  if (!answersByItself(before) || answersByItself(after)) return stay(after);
  return proceed(stay({ ...after, turn: { ...after.turn, user: 'silent' } }));
}

/**
 * The client says something new, so its next create is for that. A create that it owes for its own
 * tools is still expected.
 */
export function clientSaid(state: SessionState): SessionState {
  const { turn, calls } = state;
  const made = turn.answering === null ? [] : callsOf(calls, turn.answering);
  if (made.length === 0 || made.some(([, { owner }]) => owner === 'client')) return state;
  return { ...state, turn: { ...turn, answering: null } };
}

/** Handles the client's response.create: forwarded, unless outputs of the service must go first. */
export function clientAsked(state: SessionState, frame: Frame, response: unknown): Step {
  const forward = { kind: 'send_provider', frame } as const;
  if (isObject(response) && response['conversation'] === 'none')
    return stay({ ...state, turn: { ...state.turn, asides: true } }, forward);
  const responseId = responseToAwait(state.turn, state.calls);
  const covered = isCovered(state.turn, state.calls);
  const turn = { ...state.turn, answering: null };
  if (covered) return stay({ ...state, turn });
  if (responseId !== undefined)
    return stay({ ...state, turn: { ...turn, held: { frame, responseId } } });
  const wish = isObject(response) ? frame : null;
  return stay({ ...state, turn: { ...turn, asked: turn.asked ?? byClient, wish } }, forward);
}

/** Handles a provider error about an event of the service, or possibly the client's create. */
export function createRefused(state: SessionState, eventId: string, code: string): Step {
  const { turn } = state;
  const own = ownKind(state.settings.codeFor, eventId);
  if (own === 'create') {
    const again = code === 'conversation_already_has_active_response';
    return proceed(stay({ ...state, turn: refused(turn, again) }));
  }
  if (own) return stay({ ...state, turn: takeOutput(turn, eventId) });
  if (turn.asked !== byClient) return stay(state);
  return proceed(stay({ ...state, turn: { ...turn, asked: null, wish: null } }));
}

/** Sends the pending create if nobody is speaking. */
export function proceed(step: Step): Step {
  const { turn, injected, settings } = step.state;
  if (turn.due === null || !canSpeak(turn)) return step;
  if (turn.due !== 'own') {
    const state = { ...step.state, turn: { ...turn, due: null, asked: byClient, wish: turn.due } };
    return follow(step, stay(state, { kind: 'send_provider', frame: turn.due }));
  }
  const event_id = ownId(settings.codeFor, 'create', injected + 1);
  const asking = { ...turn, due: null, asked: event_id, wish: null };
  const state = { ...step.state, turn: asking, injected: injected + 1 };
  const create = JSON.stringify({ type: 'response.create', event_id });
  return follow(step, stay(state, sendProvider(create)));
}
