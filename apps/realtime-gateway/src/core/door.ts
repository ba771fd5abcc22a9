import { isObject, type JsonObject } from '@parley/protocol';
import { ownKind } from './own-ids.js';
import type { ProviderRoute } from './provider-routes.js';
import { readObject } from './read-event.js';
import {
  sendClient,
  type Effect,
  type ReceivedFrame,
  type SessionState,
  type Step,
} from './session.js';
import { isClientTool } from './tool-calls.js';

/** The event to forward: undefined drops it, the same object leaves it unchanged. */
type Judge = (state: SessionState, event: JsonObject) => JsonObject | undefined;

/**
 * OpenAI clients answer every call that they see, even one that is not theirs. So nothing of a
 * backend call reaches them: not its items, its arguments, or its entry at the end of the response.
 * Events of other routes cannot mention a call, and are not parsed.
 */
const judges: Partial<Record<ProviderRoute, Judge>> = {
  call: withoutCall,
  mention: withoutCall,
  slot: withoutCall,
  outcome(state, event) {
    const { response } = event;
    const output = isObject(response) ? response['output'] : undefined;
    if (!isObject(response) || !Array.isArray(output)) return event;
    const visible = output.filter((item) => !isObject(item) || !isBackends(state, item));
    if (visible.length === output.length) return event;
    return { ...event, response: { ...response, output: visible } };
  },
};

/** Nothing is inserted after items older than these. */
const maxUnseen = 100;

/** Replaces the provider's frame in the step with what the client may see of it. */
export function throughDoor(step: Step, route: ProviderRoute, frame: ReceivedFrame): Step {
  const judge = judges[route];
  const read = judge && readObject(frame.data);
  if (!judge || !read) return step;
  const event = inSight(step.state, read);
  const seen = judge(step.state, event);
  if (seen === read) return step;
  const told: Effect[] = seen ? [sendClient(JSON.stringify(seen))] : [];
  const effects = step.effects.flatMap((effect) =>
    effect.kind === 'send_client' && effect.frame === frame ? told : [effect],
  );
  return { state: seen ? step.state : unseen(step.state, event), effects };
}

/**
 * Clients keep the items in a list. If an item follows a hidden one, the client sees it after the
 * last visible one.
 */
function inSight({ unseen }: SessionState, event: JsonObject): JsonObject {
  const { previous_item_id: previous } = event;
  const seen = typeof previous === 'string' ? unseen.get(previous) : undefined;
  return seen === undefined ? event : { ...event, previous_item_id: seen };
}

function unseen(
  state: SessionState,
  { item, previous_item_id: previous }: JsonObject,
): SessionState {
  const id = isObject(item) ? item['id'] : undefined;
  if (typeof id !== 'string' || previous === undefined || state.unseen.has(id)) return state;
  const before = typeof previous === 'string' ? previous : null;
  const newest = [...state.unseen, [id, before] as const].slice(-maxUnseen);
  return { ...state, unseen: new Map(newest) };
}

function withoutCall(state: SessionState, event: JsonObject): JsonObject | undefined {
  const { item } = event;
  const tellsOf = isObject(item) ? item : { ...event, type: 'function_call' };
  const isCall = isObject(item) || typeof event['call_id'] === 'string';
  return isCall && isBackends(state, tellsOf) ? undefined : event;
}

/** Whether an item belongs to a call that is not the client's. */
function isBackends(state: SessionState, { type, id, call_id, name }: JsonObject): boolean {
  if (type !== 'function_call' && type !== 'function_call_output') return false;
  if (typeof id === 'string' && ownKind(state.settings.codeFor, id)) return true;
  const call = typeof call_id === 'string' ? state.calls.get(call_id) : undefined;
  if (call) return call.owner === 'backend';
  return type === 'function_call' && !(typeof name === 'string' && isClientTool(state, name));
}
