import type { Activity } from '../session/conversation.js';
import { fields, list, parsed, text, type Fields } from './read.js';
import {
  send,
  stay,
  then,
  type Call,
  type Core,
  type Effect,
  type Step,
  type Turn,
} from './state.js';
import { cut, ended, wordsOf } from './transcript.js';

export function turned(core: Core, change: Partial<Turn>): Core {
  return { ...core, turn: { ...core.turn, ...change } };
}

export function doing(core: Core, activity: Activity): Core {
  return core.turn.activity === activity ? core : turned(core, { activity });
}

export function responseBegan(core: Core, event: Fields): Step {
  const response = fields(event['response']);
  const id = text(response['id']);
  // A response outside the conversation does not block it.
  if (id === null || response['conversation_id'] === null) return stay(core);
  const { owed, blocked, held, request } = core.turn;
  const unwanted = held || request === 'unwanted';
  const active = [...core.turn.active, id];
  // The new response covers everything said before it, unless it is the one that was in the way.
  const change = { active, owed: owed && (blocked || unwanted), userSpeaks: false };
  const next = doing(turned(core, change), 'thinking');
  return unwanted ? silenced(next) : stay(next);
}

/** Cancels the active responses, whose remaining audio is not played. */
export function silenced(core: Core): Step {
  const { active } = core.turn;
  const muted = [...core.turn.muted, ...active].slice(-maxMuted);
  const cancels = active.map((id) => send({ type: 'response.cancel', response_id: id }));
  return stay(turned(core, { muted }), ...cancels);
}

const maxMuted = 20;

/**
 * response.done: marks interrupted messages, adds text that no event contained, and checks whether
 * all calls have been answered.
 */
export function responseEnded(core: Core, event: Fields): Step {
  const response = fields(event['response']);
  const id = text(response['id']);
  const output = list(response['output']);
  const completed = response['status'] === 'completed';
  const whole = new Set(
    output.filter(({ status }) => completed || status === 'completed').map((item) => item['id']),
  );
  const active = core.turn.active.filter((other) => other !== id);
  let step = stay(
    turned(core, {
      active,
      wasCut: !completed,
      blocked: false,
      request: 'none',
      wrote: core.turn.owed && core.turn.wrote,
    }),
  );
  for (const item of output) {
    const itemId = text(item['id']);
    if (item['type'] === 'message' && itemId !== null && whole.has(itemId))
      step = then(step, (next) =>
        then(wordsOf(next, itemId, item), (later) => ended(later, itemId)),
      );
    else if (item['type'] === 'function_call' && completed)
      step = then(step, (next) => called(next, { ...item, response_id: id }));
  }
  const left = core.lines.filter(({ responseId }) => responseId !== null && responseId === id);
  for (const { message } of left)
    if (!whole.has(message.id)) step = then(step, (next) => cut(next, message.id, null));
  if (!completed) step = { ...step, core: leftOut(step.core, id) };
  const known = then(step, (next) => tellAnswers(next, id, completed));
  return then(known, (next) => proceed(active.length > 0 ? next : rested(next)));
}

/**
 * The model gets the outputs of the calls but is not asked to continue: the user has said something
 * else.
 */
function leftOut(core: Core, responseId: string | null): Core {
  const isOf = (call: Call) => call.responseId === responseId;
  return { ...core, calls: core.calls.map((call) => (isOf(call) ? { ...call, cut: true } : call)) };
}

function rested(core: Core): Core {
  const busy = core.turn.userSpeaks || core.calls.some(({ state }) => state === 'running');
  return doing(core, busy ? core.turn.activity : 'idle');
}

/**
 * A call with complete arguments. A call of a tool that this client does not have belongs to the
 * service.
 */
export function called(core: Core, source: Fields): Step {
  const callId = text(source['call_id']);
  const name = text(source['name']);
  if (callId === null || name === null || !core.tools.has(name)) return stay(core);
  if (core.calls.some((call) => call.callId === callId)) return stay(core);
  const written = text(source['arguments']) ?? '';
  const args = written.trim() === '' ? {} : parsed(written);
  // Truncated arguments are reported as done, too.
  if (args === undefined && source['status'] !== 'completed') return stay(core);
  const call: Call = {
    callId,
    name,
    origin: 'client',
    title: null,
    imageUrl: null,
    arguments: args ?? written,
    state: 'running',
    output: null,
    link: null,
    responseId: text(source['response_id']),
    answer: null,
    told: false,
    cut: false,
  };
  const next = doing({ ...core, calls: [...core.calls, call] }, 'thinking');
  return stay(next, { kind: 'run', call }, { kind: 'told', what: 'tool', id: callId });
}

/** A client tool has returned its result. */
export function callAnswered(
  core: Core,
  callId: string,
  { output, ok }: { output: string; ok: boolean },
): Step {
  const call = core.calls.find((one) => one.callId === callId);
  if (call?.state !== 'running') return stay(core);
  const done = { ...call, state: ok ? 'done' : 'failed', output, answer: output } as const;
  const next = { ...core, calls: core.calls.map((one) => (one === call ? done : one)) };
  const step = stay(next, { kind: 'told', what: 'tool', id: callId });
  const active = call.responseId !== null && core.turn.active.includes(call.responseId);
  const over = !active && !call.cut;
  return then(
    then(step, (later) => tellAnswers(later, call.responseId, over)),
    proceed,
  );
}

/**
 * Sends outputs in the order of the calls. After the last one of a finished response, asks the
 * model to continue.
 */
function tellAnswers(core: Core, responseId: string | null, over: boolean): Step {
  const own = core.calls.filter(
    (call) => call.origin === 'client' && call.responseId === responseId,
  );
  const waits = own.findIndex(({ answer }) => answer === null);
  const ready = (waits < 0 ? own : own.slice(0, waits)).filter(({ told }) => !told);
  const effects: Effect[] = ready.map(({ callId, answer }) =>
    send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: callId, output: answer },
    }),
  );
  const calls = core.calls.map((call) => (ready.includes(call) ? { ...call, told: true } : call));
  const told = { ...core, calls };
  const due = over && waits < 0 && own.length > 0;
  return stay(due ? turned(told, { owed: true }) : told, ...effects);
}

/** Sends the pending `response.create` once nobody is speaking. */
export function proceed(core: Core): Step {
  const { owed, active, userSpeaks, held, blocked, request, wrote } = core.turn;
  if (!owed || active.length > 0 || userSpeaks || held || blocked) return stay(core);
  const change = {
    owed: false,
    request: 'sent',
    // Refused, it interrupts the response that is in the way: nobody wants that one.
    wrote: wrote || request === 'unwanted',
  } as const;
  return stay(doing(turned(core, change), 'thinking'), send({ type: 'response.create' }));
}
