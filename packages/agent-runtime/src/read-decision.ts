import type { Approvals } from '@parley/session-store';
import { argumentsHash } from './arguments.js';
import type { CallRecords } from './call-records.js';

export type CallDecision =
  | { readonly state: 'waiting' }
  | {
      readonly state: 'approved' | 'rejected' | 'expired' | 'cancelled';
      /** Of the arguments that were shown to whoever decided. */
      readonly argumentsHash: string;
      /** What PostgreSQL has still to be told. */
      readonly record: () => Promise<unknown>;
    };

/** What became of an approval. Redis knows; a Redis that lost its data leaves PostgreSQL, where nobody can approve any more. */
export async function readDecision(
  id: string,
  { approvals, records }: { approvals: Pick<Approvals, 'read'>; records: CallRecords },
): Promise<CallDecision> {
  const known = await approvals.read(id);
  if (known.state === 'waiting') return known;
  if (known.state !== 'unknown') {
    const { state, by, at, ticket } = known;
    const record = () => records.decide(id, { approval: state, by, at });
    return { state, argumentsHash: ticket.argumentsHash, record };
  }
  const row = await records.find(id);
  const hash = row ? argumentsHash(row.name, row.arguments) : '';
  const settled = { argumentsHash: hash, record: () => Promise.resolve() };
  if (row?.approval !== 'waiting') return { state: row?.approval ?? 'cancelled', ...settled };
  if (row.deadline !== null && row.deadline.getTime() > Date.now()) return { state: 'waiting' };
  return {
    state: 'expired',
    argumentsHash: hash,
    record: () => records.decide(id, { approval: 'expired', by: null }),
  };
}
