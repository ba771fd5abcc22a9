import type { Approver } from '@parley/protocol';

/**
 * A tool call of the model, from its first mention to its output.
 *
 *   announced  Its item exists; its arguments are incomplete, or do not parse and may be cut off.
 *   open       It is running, waits for a person, or waits for the client's output.
 *   left       A client's call, of a response that was cut off. Nobody waits for the output, but it
 *              may still arrive.
 *   answered   Its output is on its way to the provider. Anything that arrives now is too late.
 */
export type Call = {
  readonly owner: 'client' | 'backend';
  readonly name: string;
  /** The response that made it; '' if the provider does not say. */
  readonly responseId: string;
  readonly state: 'announced' | 'open' | 'left' | 'answered';
  /** Who sent the output. */
  readonly answeredBy: 'client' | 'service' | null;
  /** While it is open: what another provider has to be told of it. */
  readonly made?: {
    readonly itemId?: string;
    readonly arguments: string;
    readonly position?: number;
  };
  /** The client's output, which is not on the record, until the agent has responded to it. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** The id of the output that the service sent. */
  readonly outputId?: string;
};

/**
 * A decision that the client was asked for, about the call `callId` or one inside it, under the
 * approval's own id.
 */
export type Approval = {
  readonly id: string;
  readonly callId: string;
  readonly approvers: readonly Approver[];
  /** The client has decided, and the decision is being stored. */
  readonly deciding?: boolean;
};

export type Calls = ReadonlyMap<string, Call>;

export const callLimits = {
  /** Open calls per session. */
  open: 64,
  /** More than can wait at a time; whether one still waits is PostgreSQL's to say. */
  asked: 64,
  /** Older calls are forgotten once they are answered. */
  remembered: 500,
} as const;

/** The agent has responded: the outputs of the client that it knew are no longer needed. */
export function withoutGiven(calls: Calls, responseId: string): Calls {
  const isOver = (call: Call) => call.given && call.responseId !== responseId;
  if (![...calls.values()].some(isOver)) return calls;
  return new Map(
    [...calls].map(([callId, call]) => {
      const { made, given, ...rest } = call;
      return [callId, isOver(call) ? rest : call];
    }),
  );
}

/** Drops calls that were announced but not opened: the next provider does not know them. */
export function withoutAnnounced(calls: Calls): Calls {
  return new Map([...calls].filter(([, { state }]) => state !== 'announced'));
}

export function withCall(calls: Calls, callId: string, call: Call): Calls {
  const next = new Map(calls).set(callId, call);
  if (next.size <= callLimits.remembered) return next;
  for (const [id, { state }] of next) {
    if (state !== 'answered') continue;
    next.delete(id);
    break;
  }
  return next;
}

export function callsOf(calls: Calls, responseId: string): [callId: string, call: Call][] {
  return [...calls].filter(([, call]) => call.responseId === responseId);
}

export function openCalls(calls: Calls): number {
  let count = 0;
  for (const { state } of calls.values()) if (state === 'open') count += 1;
  return count;
}
