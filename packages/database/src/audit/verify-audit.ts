import { sql } from 'kysely';
import { chainHash, firstHash, type ChainedRecord } from './audit.js';
import type { SystemScope, Transactor } from '../postgres/database.js';

export type AuditVerdict =
  | { ok: true; records: number }
  | { ok: false; sequence: number; reason: string };

/**
 * The position in a chain: the last record that was verified, and the sequence that the head has
 * promised since.
 */
export type ChainPosition = { sequence: number; hash: Buffer; promised: number };

export type ChainStep =
  | { done: false; position: ChainPosition }
  | { done: true; verdict: AuditVerdict };

export const chainStart: ChainPosition = { sequence: 0, hash: firstHash, promised: 0 };

/**
 * Verifies an organization's chain from the start and returns the first record at which it breaks.
 */
export async function verifyAudit(
  { inOrganization }: Pick<Transactor, 'inOrganization'>,
  organizationId: string,
): Promise<AuditVerdict> {
  let position = chainStart;
  for (;;) {
    const from = position;
    const step = await inOrganization(organizationId, (scope) =>
      verifyNext(scope, organizationId, from),
    );
    if (step.done) return step.verdict;
    position = step.position;
  }
}

/**
 * One batch of records. When none is left, the head is read, and verification continues while it is
 * ahead: records appended in the meantime are no alarm, and those that it has promised must exist.
 */
export async function verifyNext(
  system: SystemScope,
  organizationId: string,
  position: ChainPosition,
): Promise<ChainStep> {
  let { sequence, hash } = position;
  const records = await nextRecords(system, organizationId, sequence);
  for (const { previousHash, hash: stored, ...record } of records) {
    if (record.sequence !== sequence + 1) return broken(sequence + 1, 'the record is missing');
    if (!previousHash.equals(hash))
      return broken(record.sequence, 'it does not follow the record before it');
    if (!hashOf(hash, record)?.equals(stored))
      return broken(record.sequence, 'its content was changed');
    hash = stored;
    sequence = record.sequence;
  }
  if (records.length > 0) return { done: false, position: { ...position, sequence, hash } };
  if (sequence < position.promised) return broken(sequence + 1, 'the end of the log was cut off');
  const head = await headOf(system, organizationId);
  if (head.sequence === sequence && head.hash.equals(hash))
    return { done: true, verdict: { ok: true, records: sequence } };
  if (head.sequence <= sequence)
    return broken(sequence, 'it is not the record that the head of the log names');
  return { done: false, position: { ...position, promised: head.sequence } };
}

/**
 * A value without a canonical form, such as a number beyond a double, was not written by this
 * service.
 */
function hashOf(previous: Buffer, record: ChainedRecord): Buffer | undefined {
  try {
    return chainHash(previous, record);
  } catch {
    return undefined;
  }
}

const batchRows = 500;
const batchBytes = 262_144;

/** At least one, if there is one; long records make a batch short. */
async function nextRecords({ trx }: SystemScope, organizationId: string, after: number) {
  const stored = sql<number>`coalesce(sum(
    coalesce(pg_column_size("before"), 0) + coalesce(pg_column_size("after"), 0)
  ) over (order by sequence rows between unbounded preceding and 1 preceding), 0)`;
  const batch = trx
    .selectFrom('auditLog')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(batchRows);
  const records = await trx
    .selectFrom((db) =>
      db.selectFrom(batch.as('batch')).selectAll().select(stored.as('stored')).as('sized'),
    )
    .selectAll()
    .where('stored', '<', batchBytes)
    .orderBy('sequence')
    .execute();
  return records.map(({ stored: _, ...record }) => record);
}

async function headOf(
  { trx }: SystemScope,
  organizationId: string,
): Promise<{ sequence: number; hash: Buffer }> {
  const head = await trx
    .selectFrom('auditHeads')
    .select(['sequence', 'hash'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  return head ?? { sequence: 0, hash: firstHash };
}

function broken(sequence: number, reason: string): ChainStep {
  return { done: true, verdict: { ok: false, sequence, reason } };
}
