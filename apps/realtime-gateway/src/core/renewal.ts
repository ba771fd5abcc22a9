import { customEvent, type JsonObject, type PastItem, type RenewalReason } from '@parley/protocol';
import { callsOf, withoutAnnounced, type Calls } from './calls.js';
import { proceed } from './asking.js';
import {
  inPlace,
  replay,
  type GivenCallItem,
  type OpenCallItem,
  type UntakenMessage,
} from './history.js';
import { abandon } from './note.js';
import {
  refusedWith,
  type ProviderSide,
  type RenewalFailure,
  type Renewal,
} from './provider-side.js';
import type { ProviderRoute } from './provider-routes.js';
import { readObject } from './read-event.js';
import { expiryIn } from './session-echo.js';
import { sessionUpdate } from './session-update.js';
import {
  closeWith,
  follow,
  sendClient,
  sendProvider,
  stay,
  type Effect,
  type Ending,
  type Input,
  type Received,
  type SessionState,
  type Step,
} from './session.js';
import { lose } from './turn.js';

/** How the provider's side was lost, and what the client is told if that ends the session. */
export type Loss = { readonly reason: RenewalReason; readonly message: string };
export type Failure = { readonly failure: RenewalFailure; readonly message: string };

const windowMs = 60_000;
const firstWaitMs = 250;
const longestWaitMs = 5000;
/** How long before the provider's own limit a renewal becomes due, at most. */
const marginMs = 60_000;

/** A provider does not take a new session: the next connection is tried, if there is another one. */
export function notOpened(state: SessionState, { name, message }: Ending): Step {
  const via = state.side.via + 1;
  if (via >= state.settings.connectionIds.length) return closeWith(state, name, message);
  const side = { ...leaving(state.side), via };
  return stay(
    { ...state, phase: 'greeting', side },
    { kind: 'leave_provider' },
    { kind: 'not_connected' },
    ...dialling(state),
  );
}

/** The provider's side is lost while the session runs. */
export function providerLost(state: SessionState, { reason, message }: Loss): Step {
  const { side, settings } = state;
  if (side.renewals >= settings.providerRenewals)
    return closeWith(state, 'ProviderUnavailable', message);
  const cut = cutOff(state);
  return follow(cut, round(counted(cut.state), startOf(state, reason)));
}

/** An attempt to renew has failed: the next connection, another round a little later, or the end. */
export function attemptFailed(state: SessionState, { failure, message }: Failure): Step {
  const { renewal } = state.side;
  if (!renewal) return stay(state);
  const side = leaving(state.side);
  const left = { ...state, side };
  const failed = stay(left, { kind: 'leave_provider' }, { kind: 'not_renewed', failure });
  const [via, ...others] = renewal.left;
  if (via !== undefined)
    return follow(failed, attempt(stay(left), { ...renewal, left: others }, via));
  if (side.renewals >= state.settings.providerRenewals)
    return follow(failed, closeWith(left, 'ProviderUnavailable', message));
  return follow(failed, round(counted(left), renewal));
}

/** Nothing of the current connection is heard any more. */
function leaving(side: ProviderSide): ProviderSide {
  return { ...side, leg: side.leg + 1 };
}

/** Whether the provider's session is about to end by itself, and nothing is in progress there. */
export function isRipe({ phase, side, turn, ledger }: SessionState, input: Input): boolean {
  if (phase !== 'running' || side.ripe === 'no') return false;
  const between = input.kind === 'provider.frame' && input.route === 'outcome';
  const settled = between && ledger.slots.every(({ awaits }) => awaits === null);
  if (side.ripe === 'soon' && !settled) return false;
  const isAsked = turn.asked !== null || turn.due !== null || turn.held !== null;
  const isBusy = turn.active.size > 0 || turn.untaken.size > 0 || turn.beside.length > 0;
  return !isAsked && !isBusy && turn.user === 'silent';
}

/** Renews before the provider ends its session. This does not count. */
export function renewInTime(state: SessionState): Step {
  const cut = cutOff(state);
  return follow(cut, round(stay(cut.state), startOf(state, 'expiring')));
}

/** The timers of a renewal before the provider's own limit, if that comes before the session's. */
export function renewalTimers({ settings }: SessionState, endsAt: number, now: number): Effect[] {
  const left = endsAt * 1000 - now;
  if (settings.providerRenewals === 0 || left <= 0 || left >= settings.maxSessionSeconds * 1000)
    return [];
  const margin = Math.min(marginMs, left / 2);
  return [
    { kind: 'arm_timer', timer: 'renew_soon', milliseconds: left - margin },
    { kind: 'arm_timer', timer: 'renew_now', milliseconds: left - margin / 2 },
  ];
}

/** What the new side says before it knows the conversation. Nothing of it is for the client. */
export function whileRenewing(state: SessionState, route: ProviderRoute, received: Received): Step {
  const { renewal } = state.side;
  const event = route === 'session' || route === 'error' ? readObject(received.frame.data) : {};
  if (!renewal || !event) return stay(state);
  if (route === 'error')
    return attemptFailed(state, { failure: 'error', message: refusedWith(event['error']) });
  if (renewal.step === 'greeting' && event['type'] === 'session.created')
    return stay(
      inStep({ ...state, providerEndsAt: expiryIn(event) }, 'configuring'),
      sendProvider(sessionUpdate(state)),
    );
  if (renewal.step === 'configuring' && event['type'] === 'session.updated')
    return configured(state, event, received.now);
  return stay(state);
}

function configured(state: SessionState, event: JsonObject, now: number): Step {
  const providerEndsAt = expiryIn(event) ?? state.providerEndsAt;
  const timers = providerEndsAt === undefined ? [] : renewalTimers(state, providerEndsAt, now);
  const ready = inStep({ ...state, providerEndsAt }, 'reading');
  return stay(ready, ...timers, { kind: 'read_record' });
}

/** The new side gets the conversation so far, and the session runs again. */
export function continueWith(state: SessionState, past: readonly PastItem[]): Step {
  const { renewal } = state.side;
  if (renewal?.step !== 'reading') return stay(state);
  const { settings, side } = state;
  const replayed = replay([...settings.history, ...pastFor(state, past)], settings.codeFor);
  const untaken = new Set(untakenIn(state).map(({ itemId }) => itemId));
  const echoes = replayed.flatMap(({ id }) => (id === undefined || untaken.has(id) ? [] : [id]));
  const { reason } = renewal;
  const connectionId = settings.connectionIds[side.via] ?? null;
  const running: SessionState = {
    ...state,
    phase: 'running',
    held: [],
    side: { ...side, echoes: new Set(echoes), renewal: null },
  };
  return proceed(
    stay(
      running,
      disarm('ready'),
      ...replayed.map(({ event }) => sendProvider(event)),
      sendClient(customEvent('session.renewed', { reason, connectionId })),
      { kind: 'renewed', reason },
    ),
  );
}

/** Keeps what happens meanwhile, if it needs the provider. The client sends no more than it has to. */
export function hold(state: SessionState, input: Input): Step {
  const holding = { ...state, held: [...state.held, input] };
  return input.kind === 'client.frame' ? stay(holding, { kind: 'pause_client' }) : stay(holding);
}

/**
 * The record of the session as the new side needs it: calls that are still open are without their
 * outputs, whatever the record knows of them already, because those follow.
 */
function pastFor(state: SessionState, past: readonly PastItem[]) {
  const { calls, side } = state;
  const places = new Set(untakenIn(state).map(({ position }) => position));
  const isOpen = (callId: string) => calls.get(callId)?.state === 'open';
  const kept = past.flatMap((item): (PastItem | UntakenMessage)[] => {
    if (item.itemId !== undefined && side.removed.includes(item.itemId)) return [];
    if (item.kind === 'message') {
      const isUntaken = item.position !== undefined && places.has(item.position);
      return [isUntaken ? { ...item, untaken: true } : item];
    }
    const outputId = calls.get(item.callId)?.outputId;
    return isOpen(item.callId) ? [] : [outputId === undefined ? item : { ...item, outputId }];
  });
  return inPlace(kept, openItems(calls));
}

/** Calls that the record does not have: open ones, and those that the client has just answered. */
function openItems(calls: Calls): (OpenCallItem | GivenCallItem)[] {
  return [...calls].flatMap(
    ([callId, { state, name, made, given }]): (OpenCallItem | GivenCallItem)[] => {
      if (!made) return [];
      const item = { callId, name, ...made };
      if (state === 'open') return [{ kind: 'open call', ...item }];
      return given ? [{ kind: 'given call', given, ...item }] : [];
    },
  );
}

/** What the client typed, and the provider has not acknowledged. */
function untakenIn({ ledger }: SessionState) {
  return ledger.slots.filter(({ typed }) => typed !== null);
}

/** Ends what was in progress on the connection that is lost, for the client and for the record. */
function cutOff(state: SessionState): Step {
  const { turn, calls, ledger } = state;
  const noted = abandon(ledger);
  const ended = [...turn.active, ...turn.beside].map((id) => sendClient(cancelled(state, id)));
  const unanswered =
    turn.asked !== null ||
    turn.user === 'spoke' ||
    [...turn.active].some((id) => !hasOpenCalls(calls, id));
  return stay(
    {
      ...state,
      phase: 'renewing',
      ledger: noted.ledger,
      calls: withoutAnnounced(calls),
      turn: lose(turn, calls, { unanswered }),
      side: { ...leaving(state.side), ripe: 'no' },
    },
    ...ended,
    ...noted.effects,
    { kind: 'pause_client' },
    { kind: 'leave_provider' },
    ...(['renew_soon', 'renew_now'] as const).map((timer) => disarm(timer)),
  );
}

function hasOpenCalls(calls: Calls, responseId: string): boolean {
  return callsOf(calls, responseId).some(([, call]) => call.state === 'open');
}

function cancelled({ side }: SessionState, id: string): string {
  return JSON.stringify({
    type: 'response.done',
    event_id: `event_${side.leg}_${id}`,
    response: {
      object: 'realtime.response',
      id,
      status: 'cancelled',
      status_details: { type: 'cancelled' },
      output: [],
      usage: null,
    },
  });
}

function startOf({ side, settings }: SessionState, reason: RenewalReason): Renewal {
  const others = settings.connectionIds.map((_, via) => via).filter((via) => via !== side.via);
  return { reason, step: 'waiting', order: [side.via, ...others], left: [] };
}

/** Counts a renewal for a minute. */
function counted(state: SessionState): Step {
  const { side } = state;
  const timer = `renewal ${side.leg}` as const;
  return stay(
    { ...state, side: { ...side, renewals: side.renewals + 1 } },
    { kind: 'arm_timer', timer, milliseconds: windowMs },
  );
}

/** Tries all connections, after a while if there was a renewal just before. */
function round(before: Step, renewal: Renewal): Step {
  const { side, settings } = before.state;
  const [first = 0, ...left] = renewal.order;
  if (side.renewals <= 1) return attempt(before, { ...renewal, left }, first);
  const longest = Math.min(longestWaitMs, firstWaitMs * 4 ** (side.renewals - 2));
  const milliseconds = longest * (0.5 + settings.jitter / 2);
  const waiting = withRenewal(before.state, { ...renewal, step: 'waiting', left: [] });
  return follow(
    before,
    stay(waiting, disarm('ready'), { kind: 'arm_timer', timer: 'redial', milliseconds }),
  );
}

/** The wait between two rounds is over. */
export function redial(state: SessionState): Step {
  const { renewal } = state.side;
  if (renewal?.step !== 'waiting') return stay(state);
  const [first = 0, ...left] = renewal.order;
  return attempt(stay(state), { ...renewal, left }, first);
}

function attempt(before: Step, renewal: Renewal, via: number): Step {
  const { state } = before;
  const dialled = { ...state, side: { ...state.side, via } };
  const greeting = withRenewal(dialled, { ...renewal, step: 'greeting' });
  return follow(before, stay(greeting, ...dialling(state)));
}

/** Each connection has its own time to become ready. */
function dialling({ settings }: SessionState): Effect[] {
  const milliseconds = settings.connectTimeoutSeconds * 1000;
  return [{ kind: 'arm_timer', timer: 'ready', milliseconds }, { kind: 'dial' }];
}

function inStep(state: SessionState, step: Renewal['step']): SessionState {
  const { renewal } = state.side;
  return renewal ? withRenewal(state, { ...renewal, step }) : state;
}

function withRenewal(state: SessionState, renewal: Renewal): SessionState {
  return { ...state, side: { ...state.side, renewal } };
}

function disarm(timer: 'ready' | 'renew_soon' | 'renew_now'): Effect {
  return { kind: 'disarm_timer', timer };
}
