import { isDeepStrictEqual } from 'node:util';
import { findToolCall, type ApprovalDecision, type Database } from '@parley/database';
import type { Actor } from '@parley/protocol';
import { publishTo, type Approvals, type JobProducer, type Publisher } from '@parley/session-store';
import type { ApprovalMetrics } from './approval-metrics.js';
import {
  decideInRecord,
  expired,
  recordDecision,
  type PendingCall,
  type WaitingCall,
} from './approval-record.js';

/** Where every decision from outside the owner's pod is made: Redis decides, PostgreSQL records it, whoever waits is told. */
export type ApprovalDesk = {
  /** False: it was decided before, or its time is over. What it is then stands in the record. */
  decide(call: PendingCall, decision: 'approved' | 'rejected', by: Actor): Promise<boolean>;
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

export function createApprovalDesk(options: ApprovalDeskOptions): ApprovalDesk {
  const { approvals } = options;
  const conclude = (place: Place, decision: ApprovalDecision) =>
    recordDecision(options, place, decision).finally(() => tell(options, place));

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
        case 'unknown':
          return decideInRecord(options, call, { approval: decision, by }).finally(() =>
            tell(options, { ...call, owner: null }),
          );
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
