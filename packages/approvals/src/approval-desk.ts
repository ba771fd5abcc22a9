import { isDeepStrictEqual } from 'node:util';
import {
  decideToolCall,
  findToolCall,
  finishToolCall,
  type ApprovalDecision,
  type Database,
  type FinalApproval,
  type ToolCallEnd,
} from '@parley/database';
import type { Actor } from '@parley/protocol';
import { publishTo, type Approvals, type JobProducer, type Publisher } from '@parley/session-store';
import type { ApprovalMetrics } from './approval-metrics.js';

/** A call that waits, as the record knows it. */
export type WaitingCall = {
  readonly id: string;
  readonly organizationId: string;
  readonly sessionId: string | null;
  readonly runId: string | null;
};

/** Where every decision from outside the owner's pod is made: Redis decides, PostgreSQL records it, whoever waits is told. */
export type ApprovalDesk = {
  /** False: it was decided before, or its time is over. What it is then stands in the record. */
  decide(
    call: WaitingCall & { readonly deadline: Date },
    decision: 'approved' | 'rejected',
    by: Actor,
  ): Promise<boolean>;
  /**
   * Expires what is due. `early` tells how long it takes until then; `unknown` that Redis does not know the id, and the caller not what the
   * record says.
   */
  expire(
    id: string,
    recorded?: WaitingCall,
  ): Promise<
    | { readonly outcome: 'expired' | 'decided' | 'unknown' }
    | { readonly outcome: 'early'; readonly remainingMs: number }
  >;
};

export type ApprovalDeskOptions = {
  readonly database: Database;
  readonly approvals: Approvals;
  readonly redis: Publisher;
  readonly producer: Pick<JobProducer, 'resumeRun'>;
  readonly metrics: ApprovalMetrics;
  readonly onError: (error: unknown) => void;
};

type Place = WaitingCall & { readonly owner: string | null };

const text = 'The approval timed out. The tool was not run.';
const timedOut: ToolCallEnd = { status: 2, result: text, text, executionMs: null };
const expired: ApprovalDecision = { approval: 'expired', by: null };

export function createApprovalDesk(options: ApprovalDeskOptions): ApprovalDesk {
  const { approvals } = options;
  const conclude = (place: Place, decision: ApprovalDecision) =>
    record(options, place, decision).finally(() => tell(options, place));

  /** What Redis has decided already may not be in the record yet: whoever decided it died between the two. */
  const settle = async (id: string): Promise<void> => {
    const known = await approvals.read(id);
    if (known.state === 'waiting' || known.state === 'unknown') return;
    const { state: approval, by, at, ticket } = known;
    await conclude(ticket, { approval, by, at });
  };
  return {
    async decide(call, decision, by) {
      const outcome = await approvals.decide(call.id, decision, by);
      switch (outcome.outcome) {
        case 'decided': {
          const place = { ...call, owner: outcome.ticket.owner };
          // Its owner may have found the decision in Redis, and recorded it, before this process could.
          const mine = { approval: decision, by };
          return (await conclude(place, mine)) || isRecorded(options, place, mine);
        }
        case 'late':
          await settle(call.id);
          return false;
        case 'unknown': {
          // Redis has lost its data. The record decides as sharply, on the clock of this process.
          const over = call.deadline.getTime() <= Date.now();
          const now: ApprovalDecision = over ? expired : { approval: decision, by };
          return (await conclude({ ...call, owner: null }, now)) && !over;
        }
      }
    },
    async expire(id, recorded) {
      const outcome = await approvals.expire(id);
      switch (outcome.outcome) {
        case 'early':
          return outcome;
        case 'decided':
          await conclude(outcome.ticket, expired);
          return { outcome: 'expired' };
        case 'late':
          await settle(id);
          return { outcome: 'decided' };
        case 'unknown':
          if (!recorded) return { outcome: 'unknown' };
          await conclude({ ...recorded, owner: null }, expired);
          return { outcome: 'expired' };
      }
    },
  };
}

/** False: the record had a decision. What expires in a session is finished here too, since its pod may be gone. */
async function record(
  { database, metrics }: ApprovalDeskOptions,
  { id, organizationId, sessionId }: Place,
  decision: ApprovalDecision,
): Promise<boolean> {
  const approval: FinalApproval = decision.approval;
  const first = await database.inOrganization(organizationId, async (scope) => {
    const decided = await decideToolCall(scope, id, decision);
    if (decided && approval === 'expired' && sessionId !== null)
      await finishToolCall(scope, id, timedOut);
    return decided;
  });
  if (first) metrics.decided(approval);
  return first;
}

async function isRecorded(
  { database }: ApprovalDeskOptions,
  { id, organizationId }: Place,
  { approval, by }: ApprovalDecision,
): Promise<boolean> {
  const call = await database.inOrganization(organizationId, (scope) => findToolCall(scope, id));
  return call?.approval === approval && isDeepStrictEqual(call.decidedBy, by);
}

/** A hint: whoever misses it reads the state for itself some seconds later. */
async function tell(
  { redis, producer, metrics, onError }: ApprovalDeskOptions,
  { id, owner, runId }: Place,
): Promise<void> {
  try {
    if (runId !== null) await producer.resumeRun(runId);
    if (owner === null) return;
    const receivers = await publishTo(redis, owner, { kind: 'approval', id });
    if (receivers === 0) metrics.unheard();
  } catch (error) {
    onError(error);
  }
}
