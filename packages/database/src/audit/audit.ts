import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Actor, AuditAction } from '@parley/protocol';
import { canonicalJson } from './canonical-json.js';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { prepare, raw } from '../postgres/prepared.js';

/**
 * The audit log is a hash chain per organization: each record's hash covers its content and the
 * previous hash, and the head refers to the last record. A record that is changed, removed,
 * reordered or cut off breaks the chain at an identifiable place. The application's role may only
 * insert and read.
 */
export type AuditEntry = {
  actor: Actor;
  action: AuditAction;
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

type AppendedRecord = Record<'organizationId' | 'actor' | 'action' | 'resourceType', string> &
  Record<'resourceId' | 'before' | 'after', string | null>;

const append = prepare<AppendedRecord>()('append-audit', (db, record) =>
  raw(sql`select append_audit(${record.organizationId}, ${record.actor}, ${record.action},
    ${record.resourceType}, ${record.resourceId}, ${record.before}, ${record.after})`)(db),
);

/**
 * Appends in the caller's transaction, so that a change and its record are stored together or not
 * at all. The statement is sent with the next one or with the commit, to lock the organization's
 * log as briefly as possible.
 */
export async function appendAudit(
  { organizationId, trx }: OrganizationScope,
  { actor, action, resourceType, resourceId, before, after }: AuditEntry,
): Promise<void> {
  await append.later(trx, {
    organizationId,
    actor: canonicalJson(actor),
    action,
    resourceType,
    resourceId,
    before: jsonOrNull(before),
    after: jsonOrNull(after),
  });
}

export type Change = {
  action: AuditAction;
  record: { id: string; organizationId: string };
};

/**
 * For changes above organizations, in the transaction of the change: writes the current record to
 * its organization's log.
 */
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

/**
 * Auditors compute it, too: SHA-256 over the 32 bytes of the previous hash and the record as
 * canonical JSON (RFC 8785).
 */
export function chainHash(previous: Buffer, record: ChainedRecord): Buffer {
  return createHash('sha256').update(previous).update(canonicalJson(record)).digest();
}

/** The form that PostgreSQL will return: dates as text, without undefined values. */
function jsonOrNull(value: unknown): string | null {
  const plain = JSON.parse(JSON.stringify(value ?? null)) as unknown;
  return plain === null ? null : canonicalJson(plain);
}
