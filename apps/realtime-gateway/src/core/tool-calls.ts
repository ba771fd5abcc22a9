import { isObject, type JsonObject } from '@parley/protocol';
import { proceed } from './asking.js';
import { callLimits, callsOf, openCalls, withCall, withoutGiven } from './calls.js';
import type { Call, Calls } from './calls.js';
import type { Frame } from './frame.js';
import type { OpenCallItem } from './history.js';
import { place } from './ledger.js';
import { ownId } from './own-ids.js';
import { idIn } from './read-event.js';
import {
  follow,
  sendProvider,
  stay,
  type Effect,
  type SessionState,
  type Step,
} from './session.js';
import { clientTools } from './session-update.js';
import { end, owe, sendOutput, settle } from './turn.js';

/** A call by the model, as far as one event describes it. */
type Mention = {
  readonly callId: string;
  readonly name: string | undefined;
  readonly arguments: string;
  readonly itemId: string | undefined;
  readonly responseId: string;
};

const tooMany = `At most ${callLimits.open} tool calls can be open at a time. Wait for their results.`;

/** Handles response.output_item.added and .done, and response.function_call_arguments.done. */
export function mentioned(state: SessionState, event: JsonObject, now: number): Step {
  const item = isObject(event['item']) ? event['item'] : undefined;
  if (item && item['type'] !== 'function_call') return stay(state);
  const responseId = idIn(event, 'response_id') ?? latestActive(state);
  const mention = mentionIn(item ?? event, responseId);
  if (!mention) return stay(state);
  const known = announced(state, mention);
  if (event['type'] === 'response.output_item.added') return stay(known);
  // Truncated arguments do not parse, but the provider reports them as done, too; the end of the
  // item tells which it is.
  const whole = item ? item['status'] !== 'incomplete' : isJson(mention.arguments);
  const isClients = known.calls.get(mention.callId)?.owner === 'client';
  return whole || isClients ? proceed(opened(known, mention, now)) : stay(known);
}

/**
 * Handles response.done: starts calls that no earlier event announced, and drops the calls of a
 * response that was cut off.
 */
export function responseEnded(state: SessionState, event: JsonObject, now: number): Step {
  const response = isObject(event['response']) ? event['response'] : {};
  const responseId = idIn(response, 'id') ?? latestActive(state);
  const status = response['status'];
  const cutOff = status === 'cancelled' || status === 'failed' || status === 'incomplete';
  const ended = { ...state, turn: end(state.turn, responseId, !cutOff) };
  if (cutOff) return proceed(cut(ended, responseId));
  let step = stay({ ...ended, calls: withoutGiven(ended.calls, responseId) });
  for (const item of Array.isArray(response['output']) ? (response['output'] as unknown[]) : []) {
    const whole =
      isObject(item) && item['type'] === 'function_call' && item['status'] !== 'incomplete';
    const mention = whole ? mentionIn(item, responseId) : undefined;
    if (mention) step = follow(step, opened(announced(step.state, mention), mention, now));
  }
  return proceed(settled(step, responseId));
}

/** A tool of the service has finished, with a result or the reason for its failure. */
export function callFinished(state: SessionState, callId: string, output: string): Step {
  const call = state.calls.get(callId);
  if (call?.state !== 'open' || call.owner !== 'backend') return stay(state);
  return proceed(answer(state, callId, output));
}

/** The client did not answer the call in time. */
export function callOverdue(state: SessionState, callId: string): Step {
  if (state.calls.get(callId)?.state !== 'open') return stay(state);
  return proceed(answer(state, callId, failure('The client did not answer this call in time.')));
}

/**
 * Handles the client's own output, which is forwarded: unless the call is not the client's
 * ('foreign'), or already has an output ('late').
 */
export function clientAnswered(
  state: SessionState,
  frame: Frame,
  item: JsonObject,
): Step | 'foreign' | 'late' {
  const { call_id: callId } = item;
  if (typeof callId !== 'string') return 'foreign';
  const call = state.calls.get(callId);
  if (call?.owner !== 'client') return 'foreign';
  if (call.state === 'answered') return 'late';
  const done = { ...call, state: 'answered', answeredBy: 'client', given: item } as const;
  const calls = withCall(state.calls, callId, done);
  const turn = { ...state.turn, answering: call.responseId };
  const step = stay(
    { ...state, calls, turn },
    { kind: 'send_provider', frame },
    ...(call.state === 'open' ? [disarm(callId)] : []),
  );
  return proceed(settled(step, call.responseId));
}

/**
 * An output for a call that is not the client's. The create that follows it is for the same
 * response.
 */
export function outputRefused(state: SessionState, callId: unknown): SessionState {
  const call = typeof callId === 'string' ? state.calls.get(callId) : undefined;
  return call ? { ...state, turn: { ...state.turn, answering: call.responseId } } : state;
}

function announced(state: SessionState, mention: Mention): SessionState {
  const { callId, name, responseId } = mention;
  if (name === undefined || state.calls.has(callId)) return state;
  const owner = isClientTool(state, name) ? 'client' : 'backend';
  const call: Call = {
    owner,
    name,
    responseId,
    state: 'announced',
    answeredBy: null,
  };
  return { ...state, calls: withCall(state.calls, callId, call) };
}

/** A response that began before the client withdrew a tool may still call it. */
export function isClientTool(state: SessionState, name: string): boolean {
  if (clientTools(state).some((tool) => tool.name === name)) return true;
  return state.overrides.formerTools.includes(name);
}

/** Starts a call, once. Calls beyond the limit are answered immediately. */
function opened(state: SessionState, mention: Mention, now: number): Step {
  const { callId } = mention;
  const call = state.calls.get(callId);
  const { turn, settings } = state;
  if (call?.state !== 'announced' || turn.cut.includes(call.responseId)) return stay(state);
  const { itemId = null } = mention;
  const item = itemId === null ? {} : { itemId };
  const made = { ...item, arguments: mention.arguments };
  const calls = withCall(state.calls, callId, { ...call, state: 'open', made });
  const open = { ...state, calls, turn: owe(turn, call.responseId) };
  if (openCalls(state.calls) >= callLimits.open) return answer(open, callId, failure(tooMany));
  if (call.owner === 'client')
    return stay(open, {
      kind: 'arm_timer',
      timer: `call ${callId}`,
      milliseconds: settings.clientToolTimeoutSeconds * 1000,
    });
  const key = itemId ?? `call ${callId}`;
  const { ledger, slot } = place(state.ledger, { key, itemId, now });
  const { position } = slot;
  const request = { callId, ...made, name: call.name, position };
  const placed = { ...call, state: 'open', made: { ...made, position } } as const;
  return stay(
    { ...open, ledger, calls: withCall(calls, callId, placed) },
    { kind: 'start_call', call: request },
  );
}

/**
 * The calls that a restored session goes on with, as if one response had made them all: which ones
 * did is not on the record.
 */
export function withAdopted({ settings, calls, turn }: SessionState): Adopted {
  const { adopted } = settings;
  if (adopted.length === 0) return { calls, turn, items: [] };
  const items = adopted.map(({ callId, name, itemId, arguments: input, position }) => {
    const made = { arguments: input, position, ...(itemId !== undefined && { itemId }) };
    return { kind: 'open call', callId, name, ...made } as const;
  });
  const open = { owner: 'backend', responseId: adoptedId, state: 'open' } as const;
  const next = items.reduce<Calls>(
    (all, { kind: _, callId, name, ...made }) =>
      withCall(all, callId, { ...open, name, made, answeredBy: null }),
    calls,
  );
  return { calls: next, turn: owe(turn, adoptedId), items };
}

type Adopted = Pick<SessionState, 'calls' | 'turn'> & { readonly items: readonly OpenCallItem[] };

/** No provider gives a response such an id. */
const adoptedId = 'adopted calls';

/** Ends the calls of a response that did not complete. */
function cut(state: SessionState, responseId: string): Step {
  const open = callsOf(state.calls, responseId).filter(([, call]) => call.state === 'open');
  const clients = open.filter(([, { owner }]) => owner === 'client').map(([callId]) => callId);
  const backend = open.filter(([, { owner }]) => owner === 'backend').map(([callId]) => callId);
  let { calls } = state;
  for (const [callId, { made: _, ...call }] of open)
    if (call.owner === 'client') calls = withCall(calls, callId, { ...call, state: 'left' });
  const effects = clients.map(disarm);
  if (backend.length > 0) effects.push({ kind: 'cancel_calls', callIds: backend });
  return stay({ ...state, calls }, ...effects);
}

/** Sends an output of the service, and does what follows from it. */
function answer(state: SessionState, callId: string, output: string): Step {
  const call = state.calls.get(callId);
  if (!call) return stay(state);
  const injected = state.injected + 1;
  const id = ownId(state.settings.codeFor, 'output', injected);
  const { made: _, ...rest } = call;
  const answered = { state: 'answered', answeredBy: 'service' } as const;
  const calls = withCall(state.calls, callId, { ...rest, ...answered, outputId: id });
  const item = { id, type: 'function_call_output', call_id: callId, output };
  const event = { type: 'conversation.item.create', event_id: id, item };
  const turn = sendOutput(state.turn, id);
  const step = stay({ ...state, calls, injected, turn }, sendProvider(JSON.stringify(event)));
  return settled(step, call.responseId);
}

function settled({ state, effects }: Step, responseId: string): Step {
  return { state: { ...state, turn: settle(state.turn, state.calls, responseId) }, effects };
}

function disarm(callId: string): Effect {
  return { kind: 'disarm_timer', timer: `call ${callId}` };
}

function failure(error: string): string {
  return JSON.stringify({ error });
}

function mentionIn(source: JsonObject, responseId: string): Mention | undefined {
  const callId = idIn(source, 'call_id');
  if (callId === undefined) return undefined;
  const { name, arguments: text } = source;
  return {
    callId,
    name: typeof name === 'string' ? name : undefined,
    arguments: typeof text === 'string' ? text : '',
    itemId: idIn(source, 'item_id') ?? idIn(source, 'id'),
    responseId,
  };
}

function latestActive({ turn }: SessionState): string {
  return [...turn.active].at(-1) ?? '';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
