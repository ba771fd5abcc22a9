import { randomUUID } from 'node:crypto';
import type { Actor } from '@parley/protocol';
import { approvalKey, approvalDeadlines } from './keys.js';
import { defineScript, type ScriptRunner } from './lua-script.js';

export type Decision = 'approved' | 'rejected' | 'expired' | 'cancelled';

/** What an approval is about: ids only, the arguments stay in PostgreSQL. */
export type ApprovalTicket = {
  /** Of the tool call. */
  readonly id: string;
  readonly organizationId: string;
  readonly sessionId: string | null;
  readonly runId: string | null;
  /** The pod to tell. */
  readonly owner: string | null;
  readonly argumentsHash: string;
};

export type ApprovalState =
  | { readonly state: 'waiting'; readonly deadline: Date; readonly ticket: ApprovalTicket }
  | {
      readonly state: Decision;
      readonly by: Actor | null;
      readonly at: Date;
      readonly ticket: ApprovalTicket;
    }
  | { readonly state: 'unknown' };

type Decided = {
  readonly outcome: 'decided';
  readonly ticket: ApprovalTicket;
  /** How long after the deadline; negative before it. */
  readonly lateMs: number;
  /** How long it had been waiting. */
  readonly ageMs: number;
};
/** Somebody was faster, or the deadline was: this is what it is now. */
type Late = {
  readonly outcome: 'late';
  readonly state: Decision;
  /** How long it had been waiting, if it was this attempt that found the deadline over. */
  readonly ageMs?: number | undefined;
};
type Unknown = { readonly outcome: 'unknown' };

export type DecisionOutcome = Decided | Late | Unknown;
export type ExpiryOutcome =
  Decided | Late | Unknown | { readonly outcome: 'early'; readonly remainingMs: number };

/** Each approval is decided once, by whoever comes first, and times out on Redis' clock alone. */
export type Approvals = {
  /** Until when it can be decided. One that is there is kept. */
  open(ticket: ApprovalTicket, timeoutMs: number): Promise<Date>;
  /** After the deadline it expires instead. */
  decide(
    id: string,
    decision: Exclude<Decision, 'expired'>,
    by: Actor | null,
  ): Promise<DecisionOutcome>;
  expire(id: string): Promise<ExpiryOutcome>;
  read(id: string): Promise<ApprovalState>;
  /** Ids of those that wait past their deadline, the longest overdue first. */
  overdue(limit: number): Promise<string[]>;
  backlog(): Promise<{ waiting: number; oldestOverdueSeconds: number }>;
};

const day = 24 * 60 * 60 * 1000;

type Reply =
  | ['decided', string, number, number]
  | ['early', number]
  | ['late', Decision, number?]
  | ['unknown'];

export function createApprovals(redis: ScriptRunner): Approvals {
  const openApproval = defineScript(redis, 'open-approval');
  const decideApproval = defineScript(redis, 'decide-approval');
  const readApproval = defineScript(redis, 'read-approval');
  const overdueApprovals = defineScript(redis, 'overdue-approvals');
  const keys = (id: string) => [approvalKey(id), approvalDeadlines];

  const attempt = async (id: string, decision: Decision, by: Actor | null) => {
    const args = [id, decision, JSON.stringify(by), randomUUID(), day];
    return outcomeOf((await decideApproval(keys(id), args)) as Reply);
  };
  const overdue = async (limit: number) => {
    const reply = await overdueApprovals([approvalDeadlines], [limit]);
    const [waiting, overdueMs, ...ids] = reply as [number, number, ...string[]];
    return { waiting, overdueMs, ids };
  };
  return {
    async open(ticket, timeoutMs) {
      const args = [ticket.id, JSON.stringify(ticket), timeoutMs, day];
      return new Date((await openApproval(keys(ticket.id), args)) as number);
    },
    decide: (id, decision, by) => attempt(id, decision, by) as Promise<DecisionOutcome>,
    expire: (id) => attempt(id, 'expired', null),
    async read(id) {
      return stateOf((await readApproval([approvalKey(id)], [])) as StoredApproval);
    },
    overdue: async (limit) => (await overdue(limit)).ids,
    async backlog() {
      const { waiting, overdueMs } = await overdue(0);
      return { waiting, oldestOverdueSeconds: overdueMs / 1000 };
    },
  };
}

function outcomeOf(reply: Reply): ExpiryOutcome {
  switch (reply[0]) {
    case 'decided':
      return { outcome: 'decided', ticket: ticketOf(reply[1]), lateMs: reply[2], ageMs: reply[3] };
    case 'early':
      return { outcome: 'early', remainingMs: reply[1] };
    case 'late':
      return {
        outcome: 'late',
        state: reply[1],
        ...(reply[2] !== undefined && { ageMs: reply[2] }),
      };
    case 'unknown':
      return { outcome: 'unknown' };
  }
}

type StoredApproval =
  | readonly ['waiting', string, string, null, null]
  | readonly [Decision, string, string, string, string]
  | readonly [null, null, null, null, null];

function stateOf([state, deadline, ticket, by, at]: StoredApproval): ApprovalState {
  if (state === null) return { state: 'unknown' };
  if (state === 'waiting')
    return { state, deadline: new Date(Number(deadline)), ticket: ticketOf(ticket) };
  return {
    state,
    by: JSON.parse(by) as Actor | null,
    at: new Date(Number(at)),
    ticket: ticketOf(ticket),
  };
}

function ticketOf(text: string): ApprovalTicket {
  return JSON.parse(text) as ApprovalTicket;
}
