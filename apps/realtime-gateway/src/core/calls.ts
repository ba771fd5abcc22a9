import type { Approver } from '@parley/protocol';

/**
 * A tool call of the model, from its first mention to its output.
 *
 *   announced  Its item is there; its arguments are still being written, or do not parse and may be cut off.
 *   open       It runs, waits for a person, or is the client's to answer.
 *   left       The client's, of a response that was cut off. Nobody waits for the output, and it may still come.
 *   answered   Its output is on its way to the provider. Whatever comes now is too late.
 */
export type Call = {
  readonly owner: 'client' | 'backend';
  readonly name: string;
  /** The response that made it; '' where the provider does not tell. */
  readonly responseId: string;
  readonly state: 'announced' | 'open' | 'left' | 'answered';
  /** Whose output it was. */
  readonly answeredBy: 'client' | 'service' | null;
  /** What it waits for: its own approval, or those of calls inside it. */
  readonly approvals: readonly Approval[];
};

/** Somebody has to decide about the call `callId`, under the approval's own id. */
export type Approval = {
  readonly id: string;
  readonly callId: string;
  readonly approvers: readonly Approver[];
  /** The client has decided, and the decision is being stored. */
  readonly deciding?: boolean;
};

export type Calls = ReadonlyMap<string, Call>;

export const callLimits = {
  /** Open at a time, of one session. */
  open: 64,
  /** Older calls are forgotten once they are answered. */
  remembered: 500,
} as const;

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
