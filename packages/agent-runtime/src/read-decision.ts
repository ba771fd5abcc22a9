import type { FinalApproval } from '@parley/database';
import type { Actor } from '@parley/protocol';
import type { Approvals } from '@parley/session-store';
import { argumentsHash } from './arguments.js';
import type { CallRecords } from './call-records.js';

export type CallDecision =
  | { readonly state: 'waiting' }
  | {
      readonly state: FinalApproval;
      /** Of the arguments that were shown to whoever decided. */
      readonly argumentsHash: string;
      /** Tells PostgreSQL, and answers what stands there: a decision that it had already holds. */
      readonly record: () => Promise<FinalApproval>;
    };

/**
 * What became of an approval. Redis knows; one that lost its data, or the last of its writes in a failover, leaves PostgreSQL, where
 * somebody may have decided since.
 */
export async function readDecision(
  id: string,
  { approvals, records }: { approvals: Pick<Approvals, 'read'>; records: CallRecords },
): Promise<CallDecision> {
  const recorded = async (approval: FinalApproval, more: { by: Actor | null; at?: Date }) => {
    if (await records.decide(id, { approval, ...more })) return approval;
    const held = (await records.find(id))?.approval;
    return held && held !== 'waiting' ? held : approval;
  };
  const known = await approvals.read(id);
  if (known.state !== 'waiting' && known.state !== 'unknown') {
    const { state, by, at, ticket } = known;
    return {
      state,
      argumentsHash: ticket.argumentsHash,
      record: () => recorded(state, { by, at }),
    };
  }
  const row = await records.find(id);
  const hash = row ? argumentsHash(row.name, row.arguments) : '';
  if (row?.approval !== 'waiting') {
    const state = row?.approval ?? 'cancelled';
    return { state, argumentsHash: hash, record: () => Promise.resolve(state) };
  }
  const over = known.state === 'unknown' && (row.deadline?.getTime() ?? 0) <= Date.now();
  if (!over) return { state: 'waiting' };
  return {
    state: 'expired',
    argumentsHash: hash,
    record: () => recorded('expired', { by: null }),
  };
}
