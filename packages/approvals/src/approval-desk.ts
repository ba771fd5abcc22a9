import {
  decideToolCall,
  expireDueApprovals,
  openApproval,
  waitingAmong,
  type ApprovalRequest,
  type CallOf,
  type Database,
  type DecidedCall,
} from '@parley/database';
import type { Actor } from '@parley/protocol';
import { publishTo, type JobProducer, type Publisher } from '@parley/session-store';
import type { ApprovalMetrics } from './approval-metrics.js';
import { coalesce } from './coalesce.js';

/**
 * Opens and decides all approvals. PostgreSQL decides each one exactly once; Redis carries the
 * timer and notifies whoever waits. If Redis is unavailable, the owner's own timer, its regular
 * check and the sweep take over.
 */
export type ApprovalDesk = {
  /** Returns the deadline. Rejects if the approval cannot be recorded. */
  open(call: CallOfOrganization, ask: ApprovalRequest): Promise<Date>;
  /** False if it was already decided or has expired; the record has its state. */
  decide(call: CallOfOrganization, verdict: Verdict, by: Actor): Promise<boolean>;
  /** Tells of a decision that its own transaction has committed. */
  conclude(decided: DecidedCall): void;
  /** Withdraws the approval, so that nobody can decide it any more. */
  cancel(call: CallOfOrganization): Promise<void>;
  /**
   * The timer of one approval, which expires everything that is due. `early` says when to fire
   * again.
   */
  expire(id: string): Promise<Alarm>;
  /** Expires everything that is due; returns how many that were. */
  expireDue(): Promise<number>;
};

export type CallOfOrganization = CallOf & { readonly organizationId: string };
export type Verdict = 'approved' | 'rejected';
export type Alarm =
  | { readonly outcome: 'settled' }
  | { readonly outcome: 'early'; readonly remainingMs: number };

export type ApprovalDeskOptions = {
  readonly database: Database;
  readonly redis: Publisher;
  readonly producer: Pick<JobProducer, 'expireApproval' | 'enqueueRun'>;
  readonly metrics: ApprovalMetrics;
  /** Called if a timer was not set, or a decision was not passed on. */
  readonly onError: (error: unknown) => void;
};

/** Rows per transaction. */
const batchSize = 100;
/** An approval that is due but still waiting is being decided at this very moment. */
const retryMs = 100;

export function createApprovalDesk(options: ApprovalDeskOptions): ApprovalDesk {
  const { database, producer, onError } = options;
  const alarms = new Set<string>();
  const expireDue = coalesce(async () => {
    const rung = [...alarms];
    alarms.clear();
    const expired = await expireAll(options);
    const others = rung.filter((id) => !expired.has(id));
    const waiting =
      others.length > 0 ? await database.asSystem((system) => waitingAmong(system, others)) : [];
    const remaining = new Map(waiting.map(({ id, remainingMs }) => [id, remainingMs]));
    return { expired: expired.size, remaining };
  });
  return {
    async open({ organizationId, ...call }, ask) {
      const deadline = await database.background.inOrganization(organizationId, (scope) =>
        openApproval(scope, call, ask),
      );
      producer.expireApproval(call.id, deadline).catch(onError);
      return deadline;
    },
    async decide({ organizationId, ...call }, approval, by) {
      const decided = await database.inOrganization(organizationId, (scope) =>
        decideToolCall(scope, call, { approval, by }),
      );
      if (decided) conclude(options, decided);
      return decided?.approval === approval;
    },
    conclude: (decided) => conclude(options, decided),
    async cancel({ organizationId, ...call }) {
      const cancelled = await database.background.inOrganization(organizationId, (scope) =>
        decideToolCall(scope, call, { approval: 'cancelled', by: null }),
      );
      if (cancelled) measure(options, cancelled);
    },
    async expire(id) {
      alarms.add(id);
      const remainingMs = (await expireDue()).remaining.get(id);
      if (remainingMs === undefined) return { outcome: 'settled' };
      return { outcome: 'early', remainingMs: remainingMs > 0 ? remainingMs : retryMs };
    },
    expireDue: async () => (await expireDue()).expired,
  };
}

async function expireAll(options: ApprovalDeskOptions): Promise<Set<string>> {
  const expired = new Set<string>();
  for (;;) {
    const batch = await options.database.asSystem((system) =>
      expireDueApprovals(system, batchSize),
    );
    for (const call of batch) {
      expired.add(call.id);
      conclude(options, call);
    }
    if (batch.length < batchSize) return expired;
  }
}

/** Does not wait for Redis: whoever misses the hint reads the state a few seconds later. */
function conclude(options: ApprovalDeskOptions, call: DecidedCall): void {
  measure(options, call);
  tell(options, call).catch(options.onError);
}

function measure({ metrics }: ApprovalDeskOptions, { approval, ageMs, lateMs }: DecidedCall): void {
  metrics.decided(approval, ageMs / 1000);
  if (approval === 'expired') metrics.expired(lateMs / 1000);
}

async function tell(
  { redis, producer, metrics }: ApprovalDeskOptions,
  { id, owner, runId }: DecidedCall,
): Promise<void> {
  if (runId !== null) await producer.enqueueRun(runId);
  if (owner === null) return;
  const receivers = await publishTo(redis, owner, { kind: 'approval', id });
  if (receivers === 0) metrics.unheard();
}
