import { customEvent, type CloseName } from '@parley/protocol';
import { announce, announceAgain, notStored } from './announce.js';
import { callWaits, decisionRefused } from './approvals.js';
import { openCalls } from './calls.js';
import { fromClient } from './from-client.js';
import { fromProvider, refusedBecause, toolsListed } from './from-provider.js';
import { settle } from './note.js';
import { closeWith, stay, type Input, type SessionState, type Step } from './session.js';
import type { Effect, TimerName } from './session.js';
import { callFinished, callOverdue } from './backend-calls.js';

type Ending = { readonly name: CloseName; readonly message: string };

/** Inputs that end the session in any phase. */
const endings = {
  'client.oversized': { name: 'MessageTooBig', message: 'The message exceeds the maximum size.' },
  'client.stalled': { name: 'SlowConsumer', message: 'The client reads too slowly.' },
  'provider.oversized': { name: 'MessageTooBig', message: 'The provider’s message is too large.' },
  'provider.stalled': { name: 'ProviderUnavailable', message: 'The provider stopped reading.' },
  'provider.silent': { name: 'ProviderUnavailable', message: 'The provider stopped answering.' },
  'revoke.requested': { name: 'SessionRevoked', message: 'The session was ended through the API.' },
  'drain.requested': { name: 'ServiceRestart', message: 'The instance is shutting down.' },
} as const satisfies Readonly<Partial<Record<Input['kind'], Ending>>>;

const timeouts = {
  ready: {
    name: 'ProviderConnectTimeout',
    message: 'The provider did not become ready in time.',
  },
  idle: { name: 'IdleTimeout', message: 'No data was sent in either direction for too long.' },
  end: { name: 'MaxSessionDuration', message: 'The session reached its maximum duration.' },
  quota: { name: 'QuotaReached', message: 'The organization has used up its tokens for today.' },
} as const satisfies Record<Exclude<TimerName, 'expiring' | 'grace' | CallTimer>, Ending>;

type CallTimer = `call ${string}`;

/** The whole protocol of a session: what an input changes, and which effects follow, in order. */
export function step(state: SessionState, input: Input): Step {
  if (state.phase === 'closed') return stay(state);
  const next = react(state, input);
  if (next.state.phase === 'closed')
    return { ...next, effects: [...next.effects, ...settle(next.state.ledger)] };
  return next.state.calls === state.calls ? next : minding(state, next);
}

/** A session is not idle while a call is open: the timer stops, and restarts after the last one. */
function minding(before: SessionState, { state, effects }: Step): Step {
  const [was, is] = [openCalls(before.calls) > 0, openCalls(state.calls) > 0];
  if (was === is) return { state, effects };
  const milliseconds = state.settings.idleTimeoutSeconds * 1000;
  const idle: Effect = is
    ? { kind: 'disarm_timer', timer: 'idle' }
    : { kind: 'arm_timer', timer: 'idle', milliseconds };
  return { state, effects: [...effects, idle] };
}

function react(state: SessionState, input: Input): Step {
  switch (input.kind) {
    case 'client.frame':
      return fromClient(state, input.route, input);
    case 'provider.frame':
      return fromProvider(state, input.route, input);
    case 'client.closed':
      return hangUp(state);
    case 'client.lost':
      return clientLost(state);
    case 'client.resumed':
      return stay(state, { kind: 'disarm_timer', timer: 'grace' });
    case 'provider.refused':
      return closeWith(state, 'ProviderUnavailable', refusedBecause(input.reason));
    case 'provider.closed':
      return closeWith(state, 'ProviderUnavailable', closedBecause(input.code, input.reason));
    case 'record.stored':
      return announce(state, input.message, input.id);
    case 'record.rewritten':
      return announceAgain(state, input.id, input.content);
    case 'record.failed':
      return stay(state, notStored);
    case 'call.told':
      return stay(state, { kind: 'send_client', frame: { data: input.event, binary: false } });
    case 'call.waiting':
      return callWaits(state, input.callId, input.approvals);
    case 'call.finished':
      return callFinished(state, input.callId, input.output);
    case 'decision.refused':
      return decisionRefused(state, input);
    case 'quota.reached':
      return quotaReached(state, input.secondsLeft);
    case 'tools.listed':
      return toolsListed(state, input.tools);
    case 'timer.fired':
      return onTimer(state, input.timer);
    case 'client.oversized':
    case 'client.stalled':
    case 'provider.oversized':
    case 'provider.stalled':
    case 'provider.silent':
    case 'revoke.requested':
    case 'drain.requested':
      return end(state, endings[input.kind]);
  }
}

function onTimer(state: SessionState, timer: TimerName): Step {
  if (isCallTimer(timer)) return callOverdue(state, timer.slice(callTimer.length));
  if (timer === 'grace') return hangUp(state);
  if (timer !== 'expiring') return end(state, timeouts[timer]);
  return stay(state, expiring('MaxSessionDuration', state.noticeSeconds));
}

function hangUp(state: SessionState): Step {
  return { state: { ...state, phase: 'closed' }, effects: [{ kind: 'hang_up' }] };
}

/** Everything else goes on: the provider, the calls and the record. */
function clientLost(state: SessionState): Step {
  const { resumeGraceSeconds } = state.settings;
  if (resumeGraceSeconds === null || state.phase !== 'running') return hangUp(state);
  return stay(state, {
    kind: 'arm_timer',
    timer: 'grace',
    milliseconds: resumeGraceSeconds * 1000,
  });
}

/** The agent may finish its sentence. */
function quotaReached(state: SessionState, secondsLeft: number): Step {
  const milliseconds = secondsLeft * 1000;
  const timer: Effect = { kind: 'arm_timer', timer: 'quota', milliseconds };
  return stay(state, expiring('QuotaReached', secondsLeft), timer);
}

function expiring(reason: CloseName, secondsLeft: number): Effect {
  const data = customEvent('session.expiring', { reason, secondsLeft });
  return { kind: 'send_client', frame: { data, binary: false } };
}

const callTimer = 'call ';

function isCallTimer(timer: TimerName): timer is CallTimer {
  return timer.startsWith(callTimer);
}

function closedBecause(code: number, reason: string): string {
  return `The provider closed the connection with code ${code}${reason ? `: ${reason}` : '.'}`;
}

function end(state: SessionState, { name, message }: Ending): Step {
  return closeWith(state, name, message);
}
