import { count, fields, text, type Fields } from './read.js';
import {
  send,
  stay,
  then,
  type Call,
  type Core,
  type Effect,
  type Step,
  type Waiting,
} from './state.js';

/** response.function_invocation.start: the service runs a tool, or waits for approval. */
export function serviceCalls(core: Core, event: Fields): Step {
  const data = fields(event['data']);
  const callId = text(data['callId']);
  if (callId === null) return stay(core);
  const call: Call = {
    callId,
    name: text(data['functionName']) ?? '',
    origin: 'service',
    title: text(data['title']),
    imageUrl: text(data['imageUrl']),
    arguments: data['arguments'],
    state: data['approvalRequired'] === true ? 'waiting' : 'running',
    output: null,
    link: null,
    responseId: null,
    answer: null,
    told: true,
    cut: false,
  };
  const others = core.calls.filter((other) => other.callId !== callId);
  return stay({ ...core, calls: [...others, call] }, tool(callId));
}

/**
 * response.function_invocation.done. A call that was still waiting was rejected, or cancelled with
 * its response.
 */
export function serviceDone(core: Core, event: Fields): Step {
  const data = fields(event['data']);
  const callId = text(data['callId']);
  if (callId === null) return stay(core);
  const label = text(data['buttonLabel']);
  const url = text(data['buttonLink']);
  const step = called(core, callId, (call) => ({
    ...call,
    state: data['status'] === 1 ? 'done' : 'failed',
    output: text(data['text']),
    title: text(data['title']) ?? call.title,
    imageUrl: text(data['imageUrl']) ?? call.imageUrl,
    link: label !== null && url !== null ? { label, url } : null,
  }));
  return then(step, (next) => decided(next, callId, next.turn.wasCut ? 'cancelled' : 'rejected'));
}

export function approvalWaits(core: Core, event: Fields, now: number): Step {
  const data = fields(event['data']);
  const callId = text(data['callId']);
  if (callId === null) return stay(core);
  const { approvers } = data;
  const approval: Waiting = {
    callId,
    state: 'waiting',
    decidable: !Array.isArray(approvers) || approvers.includes('client'),
    deadline: now + count(data['timeoutSeconds']) * 1000,
  };
  const others = core.approvals.filter((other) => other.callId !== callId);
  return stay(
    { ...core, approvals: [...others, approval] },
    { kind: 'told', what: 'approval', id: callId },
  );
}

/** approval.approved or approval.expired. */
export function approvalEnds(core: Core, event: Fields, state: 'approved' | 'expired'): Step {
  const callId = text(fields(event['data'])['callId']);
  if (callId === null) return stay(core);
  const step = decided(core, callId, state);
  if (state === 'expired') return step;
  return then(step, (next) => called(next, callId, (call) => ({ ...call, state: 'running' })));
}

export function decideCall(core: Core, callId: string, approve: boolean): Step {
  return stay(core, send({ type: approve ? 'approval.approve' : 'approval.reject', callId }));
}

/** The connection was lost, and with it the running and waiting calls of its session. */
export function callsLost(core: Core): Step {
  const open = core.calls.filter(({ state }) => state === 'running' || state === 'waiting');
  const waiting = core.approvals.filter(({ state }) => state === 'waiting');
  let step = stay(core);
  for (const { callId } of open)
    step = then(step, (next) =>
      called(next, callId, (call) => ({
        ...call,
        state: 'failed',
        output: 'The connection was lost.',
      })),
    );
  for (const { callId } of waiting) step = then(step, (next) => decided(next, callId, 'cancelled'));
  return step;
}

function decided(core: Core, callId: string, state: Waiting['state']): Step {
  const waits = core.approvals.some((one) => one.callId === callId && one.state === 'waiting');
  if (!waits) return stay(core);
  const approvals = core.approvals.map((one) => (one.callId === callId ? { ...one, state } : one));
  return stay({ ...core, approvals }, { kind: 'told', what: 'approval', id: callId });
}

function called(core: Core, callId: string, change: (call: Call) => Call): Step {
  if (!core.calls.some((call) => call.callId === callId)) return stay(core);
  const calls = core.calls.map((call) => (call.callId === callId ? change(call) : call));
  return stay({ ...core, calls }, tool(callId));
}

function tool(id: string): Effect {
  return { kind: 'told', what: 'tool', id };
}
