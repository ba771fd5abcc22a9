import { customEvent, type CloseName, type PastItem } from '@parley/protocol';
import { announce, announceAgain, notStored } from './announce.js';
import { decisionRefused, told } from './approvals.js';
import { openCalls } from './calls.js';
import { fromClient } from './from-client.js';
import { fromProvider, toolsListed } from './from-provider.js';
import { markMissing } from './note.js';
import { refusedBecause } from './provider-side.js';
import {
  attemptFailed,
  continueWith,
  hold,
  isRipe,
  notOpened,
  providerLost,
  redial,
  renewInTime,
  type Failure,
  type Loss,
} from './renewal.js';
import {
  follow,
  sendClient,
  closeWith,
  stay,
  type Input,
  type SessionState,
  type Step,
  type Effect,
  type Ending,
  type TimerName,
} from './session.js';
import { callFinished, callOverdue } from './tool-calls.js';

/** Inputs that end the session in any phase. */
const endings = {
  'client.oversized': { name: 'MessageTooBig', message: 'The message exceeds the maximum size.' },
  'client.stalled': { name: 'SlowConsumer', message: 'The client reads too slowly.' },
  'provider.oversized': { name: 'MessageTooBig', message: 'The provider’s message is too large.' },
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
} as const satisfies Partial<Record<TimerName, Ending>>;

/** How the provider's side is lost without a word. */
const losses = {
  'provider.stalled': { reason: 'stalled', message: 'The provider stopped reading.' },
  'provider.silent': { reason: 'silent', message: 'The provider stopped answering.' },
} as const satisfies Readonly<Partial<Record<Input['kind'], Loss>>>;

/**
 * Close codes after which another connection may succeed. With any other, the provider refuses to
 * continue.
 */
const passingCodes: ReadonlySet<number> = new Set([1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014]);

/** The whole protocol of a session: what an input changes, and which effects follow, in order. */
export function step(state: SessionState, input: Input): Step {
  if (state.phase === 'closed' || isOfFormerLeg(state, input)) return stay(state);
  const reacted = react(state, input);
  const next = isRipe(reacted.state, input) ? follow(reacted, renewInTime(reacted.state)) : reacted;
  if (next.state.phase === 'closed')
    return { ...next, effects: [...next.effects, ...markMissing(next.state.ledger)] };
  return minding(state, next);
}

function isOfFormerLeg({ side }: SessionState, input: Input): boolean {
  return 'leg' in input && input.leg !== side.leg;
}

/** The idle timer runs while the client is read and no call is open, and starts anew each time. */
function minding(before: SessionState, { state, effects }: Step): Step {
  if (before.calls === state.calls && before.phase === state.phase) return { state, effects };
  const [was, is] = [mayBeIdle(before), mayBeIdle(state)];
  if (was === is) return { state, effects };
  const milliseconds = state.settings.idleTimeoutSeconds * 1000;
  const idle: Effect = is
    ? { kind: 'arm_timer', timer: 'idle', milliseconds }
    : { kind: 'disarm_timer', timer: 'idle' };
  return { state, effects: [...effects, idle] };
}

function mayBeIdle({ phase, calls }: SessionState): boolean {
  return phase === 'running' && openCalls(calls) === 0;
}

function react(state: SessionState, input: Input): Step {
  if (state.phase === 'renewing' && needsProvider(state, input)) return hold(state, input);
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
    case 'client.unresumable':
      return stay({ ...state, settings: { ...state.settings, resumeGraceSeconds: null } });
    case 'provider.refused':
      return notThere(state, { failure: 'refused', message: refusedBecause(input.reason) });
    case 'provider.closed':
      return closed(state, input.code, closedBecause(input.code, input.reason));
    case 'provider.stalled':
    case 'provider.silent':
      return lost(state, losses[input.kind]);
    case 'record.read':
      return continued(state, input.past);
    case 'record.unread':
      return attemptFailed(state, {
        failure: 'record',
        message: 'The conversation could not be read, so it cannot continue with the provider.',
      });
    case 'record.stored':
      return announce(state, input.message, input.id);
    case 'record.rewritten':
      return announceAgain(state, input.id, input.content);
    case 'record.failed':
      return stay(state, notStored);
    case 'call.told':
      return told(state, input);
    case 'call.waiting':
      return stay(state);
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
    case 'revoke.requested':
      return end(state, endings[input.kind]);
    case 'drain.requested':
      return drained(state);
  }
}

/** Whether an input has to wait for the provider's new side. */
function needsProvider({ settings }: SessionState, input: Input): boolean {
  if (input.kind === 'timer.fired') return isCallTimer(input.timer);
  if (input.kind === 'client.frame')
    return input.route !== 'ack' || settings.resumeGraceSeconds === null;
  return input.kind === 'call.finished';
}

/** The session runs again: what waited for that comes next. */
function continued(state: SessionState, past: readonly PastItem[]): Step {
  const running = continueWith(state, past);
  if (running.state.phase !== 'running') return running;
  return state.held.reduce(
    (before, input) =>
      before.state.phase === 'closed' ? before : follow(before, react(before.state, input)),
    running,
  );
}

/** A provider that does not take the session, when it opens or is renewed. */
function notThere(state: SessionState, failure: Failure): Step {
  if (state.phase === 'renewing') return attemptFailed(state, failure);
  return notOpened(state, { name: 'ProviderUnavailable', message: failure.message });
}

function closed(state: SessionState, code: number, message: string): Step {
  if (state.phase !== 'running') return notThere(state, { failure: 'closed', message });
  if (!passingCodes.has(code)) return closeWith(state, 'ProviderUnavailable', message);
  return providerLost(state, { reason: 'closed', message });
}

function lost(state: SessionState, loss: Loss): Step {
  if (state.phase === 'running') return providerLost(state, loss);
  return notThere(state, { failure: 'closed', message: loss.message });
}

function onTimer(state: SessionState, timer: TimerName): Step {
  if (isCallTimer(timer)) return callOverdue(state, timer.slice(callTimer.length));
  const { side } = state;
  if (isRenewalTimer(timer))
    return stay({ ...state, side: { ...side, renewals: side.renewals - 1 } });
  switch (timer) {
    case 'grace':
      return hangUp(state);
    case 'expiring':
      return stay(state, expiring('MaxSessionDuration', state.noticeSeconds));
    case 'renew_soon':
      return stay({ ...state, side: { ...side, ripe: 'soon' } });
    case 'renew_now':
      return stay({ ...state, side: { ...side, ripe: 'now' } });
    case 'redial':
      return redial(state);
    case 'ready':
      if (state.phase === 'renewing')
        return attemptFailed(state, { failure: 'timeout', message: timeouts.ready.message });
      return notOpened(state, timeouts.ready);
    case 'idle':
    case 'end':
    case 'quota':
      return end(state, timeouts[timer]);
  }
}

/** Whether the session has begun and not ended, whatever its provider does. */
export function isUnderWay({ phase }: SessionState): boolean {
  return phase === 'running' || phase === 'renewing';
}

function hangUp(state: SessionState): Step {
  return { state: { ...state, phase: 'closed' }, effects: [{ kind: 'hang_up' }] };
}

/** Everything else goes on: the provider, the calls and the record. */
function clientLost(state: SessionState): Step {
  const { resumeGraceSeconds } = state.settings;
  if (resumeGraceSeconds === null) return hangUp(state);
  if (!isUnderWay(state)) return state.settings.isRestored ? handOver(state) : hangUp(state);
  return stay(state, {
    kind: 'arm_timer',
    timer: 'grace',
    milliseconds: resumeGraceSeconds * 1000,
  });
}

/** A session whose client can come back is continued by another pod. */
function drained(state: SessionState): Step {
  const { resumeGraceSeconds, isRestored } = state.settings;
  const canMove = resumeGraceSeconds !== null && (isUnderWay(state) || isRestored);
  return canMove ? handOver(state) : end(state, endings['drain.requested']);
}

function handOver(state: SessionState): Step {
  return { state: { ...state, phase: 'closed' }, effects: [{ kind: 'hand_over' }] };
}

/** The agent may finish its sentence. */
function quotaReached(state: SessionState, secondsLeft: number): Step {
  const milliseconds = secondsLeft * 1000;
  const timer: Effect = { kind: 'arm_timer', timer: 'quota', milliseconds };
  return stay(state, expiring('QuotaReached', secondsLeft), timer);
}

function expiring(reason: CloseName, secondsLeft: number): Effect {
  const data = customEvent('session.expiring', { reason, secondsLeft });
  return sendClient(data);
}

const callTimer = 'call ';

function isCallTimer(timer: TimerName): timer is `call ${string}` {
  return timer.startsWith(callTimer);
}

function isRenewalTimer(timer: TimerName): timer is `renewal ${number}` {
  return timer.startsWith('renewal ');
}

function closedBecause(code: number, reason: string): string {
  return `The provider closed the connection with code ${code}${reason ? `: ${reason}` : '.'}`;
}

function end(state: SessionState, { name, message }: Ending): Step {
  return closeWith(state, name, message);
}
