import type { RawEvent, Traffic } from '@parley/client';
import { fieldsOf, listIn, textIn } from './fields.js';

/**
 * The stages of a turn. Every moment belongs to exactly one of them, so that they add up to the
 * total.
 */
export const stages = ['thinking', 'approval', 'tool', 'answer'] as const;
export type Stage = (typeof stages)[number];

export type TurnTimes = {
  readonly nth: number;
  readonly by: 'voice' | 'text' | 'agent';
  readonly startedAt: number;
  /** Milliseconds each. */
  readonly spent: Readonly<Record<Stage, number>>;
  /** From the start of the turn. */
  readonly firstText?: number;
  readonly firstAudio?: number;
  /** It was interrupted by another turn. */
  readonly cut: boolean;
  readonly over: boolean;
};

/** From requesting a session until it is ready for input. */
export type ConnectTimes = {
  readonly startedAt: number;
  readonly createdAt?: number;
  readonly openedAt?: number;
};

type Open = {
  readonly turn: TurnTimes;
  readonly since: number;
  /** The responses in progress, and whether output has arrived. */
  readonly responses: ReadonlyMap<string, boolean>;
  readonly calls: ReadonlyMap<string, 'running' | 'waiting'>;
};

export type Latency = {
  readonly connects: readonly ConnectTimes[];
  /** The most recent finished turns. */
  readonly turns: readonly TurnTimes[];
  readonly open: Open | undefined;
  readonly count: number;
};

export const noLatency: Latency = { connects: [], turns: [], open: undefined, count: 0 };
const maxTurns = 100;
const maxConnects = 20;

export function totalOf({ spent }: TurnTimes): number {
  return stages.reduce((sum, stage) => sum + spent[stage], 0);
}

/** A session was requested (`asked`) or `created`, its socket is `open`, or it is `over`. */
export function connected(
  latency: Latency,
  step: 'asked' | 'created' | 'open' | 'over',
  at: number,
): Latency {
  if (step === 'over') return ended(latency, { at, cut: true });
  if (step === 'asked')
    return { ...latency, connects: [...latency.connects, { startedAt: at }].slice(-maxConnects) };
  const last = latency.connects.at(-1);
  if (!last || last.openedAt !== undefined) return latency;
  const now = { ...last, ...(step === 'created' ? { createdAt: at } : { openedAt: at }) };
  return { ...latency, connects: latency.connects.with(-1, now) };
}

/** How an event affects the turn: when one starts, what it waits for, and when it ends. */
export function measured(latency: Latency, { sent, event }: Traffic, at: number): Latency {
  return sent ? afterSent(latency, event, at) : afterReceived(latency, event, at);
}

function afterSent(latency: Latency, event: RawEvent, at: number): Latency {
  const item = fieldsOf(event.item);
  switch (event.type) {
    case 'input_audio_buffer.commit':
      return begun(latency, 'voice', at);
    case 'conversation.item.create':
      if (item.type === 'message' && item.role === 'user') return begun(latency, 'text', at);
      if (item.type !== 'function_call_output') return latency;
      return withCall(latency, textIn(item.call_id), { at, state: undefined });
    case 'response.create':
      return latency.open ? latency : begun(latency, 'agent', at);
    default:
      return latency;
  }
}

function afterReceived(latency: Latency, event: RawEvent, at: number): Latency {
  const data = fieldsOf(event.data);
  const callId = textIn(data.callId);
  switch (event.type) {
    case 'input_audio_buffer.speech_stopped':
      return begun(latency, 'voice', at);
    case 'response.created':
      return responseBegan(latency, event, at);
    case 'response.done':
      return responseEnded(latency, event, at);
    case 'response.output_item.done': {
      const item = fieldsOf(event.item);
      if (item.type !== 'function_call') return latency;
      return withCall(latency, textIn(item.call_id), { at, state: 'running' });
    }
    case 'response.function_invocation.start': {
      const state = data.approvalRequired === true ? 'waiting' : 'running';
      return withCall(latency, callId, { at, state });
    }
    case 'approval.approved':
      return withCall(latency, callId, { at, state: 'running' });
    case 'response.function_invocation.done':
      return withCall(latency, callId, { at, state: undefined });
    default:
      return outputCame(latency, event, at);
  }
}

const textDeltas = new Set([
  'response.output_text.delta',
  'response.output_audio_transcript.delta',
  'response.audio_transcript.delta',
]);
const audioDeltas = new Set(['response.output_audio.delta', 'response.audio.delta']);

function outputCame(latency: Latency, event: RawEvent, at: number): Latency {
  const isText = textDeltas.has(event.type);
  const id = textIn(event.response_id);
  if ((!isText && !audioDeltas.has(event.type)) || id === undefined) return latency;
  const { open } = latency;
  if (!open?.responses.has(id)) return latency;
  const name = isText ? 'firstText' : 'firstAudio';
  if (open.responses.get(id) === true && open.turn[name] !== undefined) return latency;
  const now = charged(open, at);
  const turn = { ...now.turn, [name]: now.turn[name] ?? at - now.turn.startedAt };
  return { ...latency, open: { ...now, turn, responses: new Map(now.responses).set(id, true) } };
}

function responseBegan(latency: Latency, event: RawEvent, at: number): Latency {
  const id = textIn(fieldsOf(event.response).id);
  if (id === undefined) return latency;
  const { open, ...rest } = latency.open ? latency : begun(latency, 'agent', at);
  if (!open) return latency;
  const now = charged(open, at);
  return { ...rest, open: { ...now, responses: new Map(now.responses).set(id, false) } };
}

/** A response with tool calls is followed by another one; any other ends the turn. */
function responseEnded(latency: Latency, event: RawEvent, at: number): Latency {
  const response = fieldsOf(event.response);
  const id = textIn(response.id);
  const { open } = latency;
  if (id === undefined || !open?.responses.has(id)) return latency;
  const now = charged(open, at);
  const responses = new Map(now.responses);
  responses.delete(id);
  const after = { ...latency, open: { ...now, responses } };
  const isWhole = response.status === 'completed';
  const calls = listIn(response.output).some(({ type }) => type === 'function_call');
  const goesOn = (isWhole && calls) || now.calls.size > 0 || responses.size > 0;
  return goesOn ? after : ended(after, { at, cut: !isWhole });
}

type CallChange = { readonly at: number; readonly state: 'running' | 'waiting' | undefined };

function withCall(latency: Latency, callId: string | undefined, change: CallChange): Latency {
  if (!latency.open || callId === undefined) return latency;
  const now = charged(latency.open, change.at);
  const calls = new Map(now.calls);
  if (change.state === undefined) calls.delete(callId);
  else calls.set(callId, change.state);
  return { ...latency, open: { ...now, calls } };
}

function begun(latency: Latency, by: TurnTimes['by'], at: number): Latency {
  const before = ended(latency, { at, cut: true });
  const nth = before.count + 1;
  const spent = { thinking: 0, approval: 0, tool: 0, answer: 0 };
  const turn = { nth, by, startedAt: at, spent, cut: false, over: false };
  return {
    ...before,
    count: nth,
    open: { turn, since: at, responses: new Map(), calls: new Map() },
  };
}

function ended(latency: Latency, { at, cut }: { at: number; cut: boolean }): Latency {
  if (!latency.open) return latency;
  const turn = { ...charged(latency.open, at).turn, cut, over: true };
  return { ...latency, open: undefined, turns: [...latency.turns, turn].slice(-maxTurns) };
}

/** The time since the last event belongs to what the turn was waiting for. */
function charged(open: Open, at: number): Open {
  const stage = stageOf(open);
  const spent = { ...open.turn.spent, [stage]: open.turn.spent[stage] + (at - open.since) };
  return { ...open, since: at, turn: { ...open.turn, spent } };
}

function stageOf({ calls, responses }: Open): Stage {
  const states = [...calls.values()];
  if (states.includes('running')) return 'tool';
  if (states.includes('waiting')) return 'approval';
  return [...responses.values()].includes(true) ? 'answer' : 'thinking';
}
