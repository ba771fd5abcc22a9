import { callsOf, type Calls } from './calls.js';
import type { Frame } from './frame.js';

/**
 * Whose turn it is to speak. The provider accepts a `response.create` only while no response of the
 * conversation is active, and one is due once every call of a response has its output. Outputs of
 * several responses share one create.
 */
export type Turn = {
  /** Responses in progress at the provider, whoever requested them. */
  readonly active: ReadonlySet<string>;
  /** Responses whose calls are not all answered yet. */
  readonly owing: ReadonlySet<string>;
  /** Responses that did not complete: their calls do not run. The newest last. */
  readonly cut: readonly string[];
  /** The create that was sent and has not been answered or refused: our id, or the client's. */
  readonly asked: string | null;
  /** What to send as soon as nobody is speaking: a create of the service's own, or the client's. */
  readonly due: 'own' | Frame | null;
  /**
   * The user is speaking, or has spoken and the response has not begun. Nobody talks over the user,
   * and that response covers everything in the conversation by then.
   */
  readonly user: 'silent' | 'speaks' | 'spoke';
  /** Outputs of the service that the provider has not added to the conversation yet. */
  readonly untaken: ReadonlySet<string>;
  /**
   * Our create was refused because of an active response that is unknown here. Cleared when any
   * response ends.
   */
  readonly blocked: boolean;
  /** Whether the pending create has been refused before. */
  readonly retried: boolean;
  /** The response whose call the client has just answered: its next create is for that response. */
  readonly answering: string | null;
  /**
   * Whether the client has requested a response outside the conversation, and the latest of these:
   * nobody hears them.
   */
  readonly asides: boolean;
  readonly beside: readonly string[];
  /** The client's create for a response that still has open backend calls. */
  readonly held: { readonly frame: Frame; readonly responseId: string } | null;
  /** The client's create of the current response, if it asks for more than just a response. */
  readonly wish: Frame | null;
  /** The current response was requested again after its provider was lost. */
  readonly again: boolean;
};

export const quiet: Turn = {
  active: new Set(),
  owing: new Set(),
  cut: [],
  asked: null,
  due: null,
  user: 'silent',
  untaken: new Set(),
  blocked: false,
  retried: false,
  answering: null,
  asides: false,
  beside: [],
  held: null,
  wish: null,
  again: false,
};

export const byClient = 'client';
const maxCut = 20;

export function begin(turn: Turn, responseId: string): Turn {
  const wish = turn.asked === null ? null : turn.wish;
  const begun = { ...turn, asked: null, wish, active: new Set(turn.active).add(responseId) };
  if (turn.user !== 'spoke') return begun;
  const covered = turn.due === 'own' && turn.untaken.size === 0;
  return { ...begun, user: 'silent', due: covered ? null : turn.due };
}

export function sendOutput(turn: Turn, itemId: string): Turn {
  return { ...turn, untaken: new Set(turn.untaken).add(itemId) };
}

/** The provider has accepted an output, or refused it. */
export function takeOutput(turn: Turn, itemId: string): Turn {
  return turn.untaken.has(itemId) ? { ...turn, untaken: without(turn.untaken, itemId) } : turn;
}

/** A response ended. One without an id ends all active ones. */
export function end(turn: Turn, responseId: string, completed: boolean): Turn {
  const active = new Set(turn.active);
  if (responseId === '') active.clear();
  else active.delete(responseId);
  const beside = turn.beside.filter((id) => id !== responseId);
  const ended = { ...turn, active, beside, blocked: false, wish: null };
  if (completed) return { ...ended, again: false };
  const held = turn.held?.responseId === responseId ? turn.held : null;
  return {
    ...disregard(ended, responseId),
    owing: without(turn.owing, responseId),
    // The client's request still stands, but nothing of ours goes before it.
    ...(held && { held: null, due: held.frame }),
  };
}

/** A response whose calls do not concern the service. */
export function disregard(turn: Turn, responseId: string): Turn {
  return { ...turn, cut: [...turn.cut, responseId].slice(-maxCut) };
}

/** A response outside the conversation, at the client's request. */
export function aside(turn: Turn, responseId: string): Turn {
  const beside = [...turn.beside, responseId].slice(-maxCut);
  return { ...disregard(turn, responseId), beside };
}

export function owe(turn: Turn, responseId: string): Turn {
  return { ...turn, owing: new Set(turn.owing).add(responseId) };
}

/**
 * Checks whether a response has everything that it waited for. A client that answered its own calls
 * also sends the create.
 */
export function settle(turn: Turn, calls: Calls, responseId: string): Turn {
  if (turn.active.has(responseId)) return turn;
  const made = callsOf(calls, responseId).map(([, call]) => call);
  const isOpen = (owner: string) =>
    made.some((call) => call.state === 'open' && call.owner === owner);
  let next = turn;
  if (next.held?.responseId === responseId && !isOpen('backend'))
    next = { ...next, due: next.held.frame, held: null };
  if (!next.owing.has(responseId) || isOpen('backend') || isOpen('client')) return next;
  const owing = without(next.owing, responseId);
  const clients = made.filter(({ owner }) => owner === 'client');
  const leftToClient =
    clients.length > 0 && clients.every(({ answeredBy }) => answeredBy === 'client');
  if (leftToClient || next.due !== null) return { ...next, owing };
  return { ...next, owing, due: 'own', retried: false };
}

/** The response, if any, whose outputs of the service must go before the client's create. */
export function responseToAwait(turn: Turn, calls: Calls): string | undefined {
  const { answering } = turn;
  if (answering === null) return undefined;
  const backend = callsOf(calls, answering).filter(([, { owner }]) => owner === 'backend');
  const early = turn.active.has(answering) || backend.some(([, { state }]) => state === 'open');
  return backend.length > 0 && early ? answering : undefined;
}

/**
 * Whether the service itself requests the response to outputs that it sent, and that the client
 * tried to send.
 */
export function isCovered(turn: Turn, calls: Calls): boolean {
  const { answering } = turn;
  if (answering === null || turn.cut.includes(answering)) return false;
  const made = callsOf(calls, answering);
  return made.length > 0 && made.every(([, { answeredBy }]) => answeredBy === 'service');
}

export function canSpeak(turn: Turn): boolean {
  if (turn.due === 'own' && turn.user !== 'silent') return false;
  return turn.active.size === 0 && turn.asked === null && !turn.blocked;
}

/**
 * The provider refused our create. It is retried once, after the response that is in the way has
 * ended.
 */
export function refused(turn: Turn, again: boolean): Turn {
  if (!again || turn.retried) return { ...turn, asked: null, retried: false };
  return { ...turn, asked: null, due: turn.due ?? 'own', blocked: true, retried: true };
}

export type Lost = {
  /** Whether a response had been requested, or was in progress, and its answer is unknown. */
  readonly unanswered: boolean;
};

/**
 * The provider's side is gone, and everything in progress with it. An answer that got lost is
 * requested again, but only once; outputs that were not accepted are part of the past now.
 */
export function lose(turn: Turn, calls: Calls, { unanswered }: Lost): Turn {
  const nothing: ReadonlySet<string> = new Set();
  let next: Turn = {
    ...turn,
    active: nothing,
    untaken: nothing,
    beside: [],
    user: 'silent',
    asked: null,
    blocked: false,
    retried: false,
    wish: null,
    again: false,
  };
  for (const responseId of turn.owing) next = settle(next, calls, responseId);
  if (!unanswered || turn.again) return next;
  return { ...next, due: next.due ?? turn.wish ?? 'own', again: true };
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  next.delete(id);
  return next;
}
