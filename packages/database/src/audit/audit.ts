import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Actor } from '@parley/protocol';
import { canonicalJson } from './canonical-json.js';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { prepare, raw } from '../postgres/prepared.js';

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

type AppendedRecord = Record<'organizationId' | 'actor' | 'action' | 'resourceType', string> &
  Record<'resourceId' | 'before' | 'after', string | null>;

const append = prepare<AppendedRecord>()('append-audit', (db, record) =>
  raw(sql`select append_audit(${record.organizationId}, ${record.actor}, ${record.action},
    ${record.resourceType}, ${record.resourceId}, ${record.before}, ${record.after})`)(db),
);

/**
 * Appends in the caller's transaction: a change and its record are stored together or not at all. It goes to PostgreSQL with the next statement or
 * with the commit, so that the organization's log is locked for no longer than it must.
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
function jsonOrNull(value: unknown): string | null {
  const plain = JSON.parse(JSON.stringify(value ?? null)) as unknown;
  return plain === null ? null : canonicalJson(plain);
}
