import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Actor } from '@parley/protocol';
import { canonicalJson } from './canonical-json.js';
import type { OrganizationScope, SystemScope } from './database.js';

/**
 * The audit log is a hash chain per organization: each record's hash covers its content and the hash before it, and the head names the last
 * one. A changed, removed, reordered or cut-off record breaks the chain at a place that can be named. The application's
 * role may only insert and read.
 */
export type AuditEntry = {
  actor: Actor;
  action: string;
  resourceType: string;
  resourceId: string | null;
  before?: unknown;
  after?: unknown;
};

export type ChainedRecord = {
  organizationId: string;
  sequence: number;
  occurredAt: Date;
  actor: unknown;
  action: string;
  resourceType: string;
  resourceId: string | null;
  before: unknown;
  after: unknown;
};

export const firstHash = Buffer.alloc(32);

/** Appends in the caller's transaction: a change and its record are stored together or not at all. */
export async function appendAudit(
  { organizationId, trx }: OrganizationScope,
  entry: AuditEntry,
): Promise<void> {
  await trx
    .insertInto('auditHeads')
    .values({ organizationId, sequence: 0, hash: firstHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const head = await trx
    .selectFrom('auditHeads')
    .select([
      'sequence',
      'hash',
      sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as('now'),
    ])
    .where('organizationId', '=', organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const record: ChainedRecord = {
    organizationId,
    sequence: head.sequence + 1,
    occurredAt: head.now,
    actor: entry.actor,
    action: entry.action,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    before: plain(entry.before),
    after: plain(entry.after),
  };
  const hash = chainHash(head.hash, record);
  await trx
    .insertInto('auditLog')
    .values({
      ...record,
      actor: JSON.stringify(record.actor),
      before: jsonOrNull(record.before),
      after: jsonOrNull(record.after),
      previousHash: head.hash,
      hash,
    })
    .execute();
  await trx
    .updateTable('auditHeads')
    .set({ sequence: record.sequence, hash })
    .where('organizationId', '=', organizationId)
    .execute();
}

export type Change = {
  /** Reads `resource.what happened`. */
  action: `${string}.${string}`;
  record: { id: string; organizationId: string };
};

/** For what stands above organizations, in the transaction of the change: the record as it is now goes into its organization's log. */
export async function recordChange(
  { trx }: SystemScope,
  actor: Actor,
  { action, record }: Change,
): Promise<void> {
  const { id: resourceId, organizationId } = record;
  const resourceType = action.replace(/\..*/, '');
  const entry = { actor, action, resourceType, resourceId, after: record };
  await appendAudit({ organizationId, trx }, entry);
}

/** Auditors compute it, too: SHA-256 over the 32 bytes of the hash before it and the record as canonical JSON (RFC 8785). */
export function chainHash(previous: Buffer, record: ChainedRecord): Buffer {
  return createHash('sha256').update(previous).update(canonicalJson(record)).digest();
}

/** What PostgreSQL will give back: dates as text, undefined gone. */
function plain(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
