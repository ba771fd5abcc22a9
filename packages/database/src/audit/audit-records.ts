import { sql, type Expression, type ExpressionBuilder, type Selectable } from 'kysely';
import type { OrganizationScope } from '../postgres/database.js';
import { leadingRows, restOf, withoutSizes, type LongPage } from '../postgres/long-rows.js';
import { fromNearerEnd, type PageRequest } from '../postgres/page.js';
import type { AuditLogTable, Schema } from '../postgres/schema.js';

export type AuditRecord = Omit<Selectable<AuditLogTable>, 'organizationId'>;

/** Omitted fields do not filter. `from` is inclusive, `to` exclusive. */
export type AuditFilter = {
  from?: Date | undefined;
  to?: Date | undefined;
  /** Id or name of a key, or name of another actor. */
  actor?: string | undefined;
  action?: string | undefined;
};

const columns = [
  'sequence',
  'occurredAt',
  'actor',
  'action',
  'resourceType',
  'resourceId',
  'before',
  'after',
  'previousHash',
  'hash',
] as const;

/** Sequences: `after` is exclusive, `through` inclusive. */
export type AuditRange = { after: number; through: number };

export async function listAudit(
  scope: OrganizationScope,
  filter: AuditFilter,
  page: PageRequest,
): Promise<LongPage<AuditRecord, number>> {
  const { total, ...range } = await extent(scope, filter);
  const sequencesOf = (part: PageRequest) =>
    auditSequences(scope, filter, { page: part, total, range });
  const read = ownRecords(scope, {}).select(columns).where('sequence', 'in', sequencesOf(page));
  const items = await leadingRecords(scope, read);
  const rest = restOf(page, { items, total });
  const left = rest ? await sequencesOf(rest).execute() : [];
  return { items, total, rest: left.map(({ sequence }) => sequence) };
}

/** The leading records of those with the given sequences. */
export async function auditBySequences(
  scope: OrganizationScope,
  sequences: readonly number[],
): Promise<AuditRecord[]> {
  const read = ownRecords(scope, {}).select(columns);
  return leadingRecords(scope, read.where(sql<boolean>`sequence = any(${sequences}::bigint[])`));
}

async function leadingRecords(
  { trx }: OrganizationScope,
  records: Expression<AuditRecord>,
): Promise<AuditRecord[]> {
  const rows = await leadingRows(trx, records, {
    orderedBy: ['sequence'],
    long: ['before', 'after'],
  }).execute();
  return rows.map(withoutSizes);
}

/** The sequences of the records of a page. */
export function auditSequences(
  scope: OrganizationScope,
  filter: AuditFilter,
  { page, total, range }: { page: PageRequest; total: number; range: AuditRange },
) {
  const { offset, limit, direction } = fromNearerEnd(page, total);
  return within(ownRecords(scope, filter), range)
    .select('sequence')
    .orderBy('sequence', direction)
    .offset(offset)
    .limit(limit);
}

/**
 * The records of a time, as a range of sequences: in their order, PostgreSQL would read the log from
 * its start to find the first. A clock that was set back does not matter, as it would if only the
 * earliest and the latest were looked up.
 */
export async function auditRange(
  scope: OrganizationScope,
  { from, to }: Pick<AuditFilter, 'from' | 'to'>,
): Promise<AuditRange> {
  const { after, through } = await extent(scope, { from, to });
  return { after, through };
}

/**
 * How many records match, and between which sequences they are. Counting them keeps PostgreSQL from
 * looking for the lowest sequence along the primary key.
 */
async function extent(
  scope: OrganizationScope,
  filter: AuditFilter,
): Promise<AuditRange & { total: number }> {
  return ownRecords(scope, filter)
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`coalesce(min(sequence) - 1, 0)`.as('after'),
      sql<number>`coalesce(max(sequence), 0)`.as('through'),
    ])
    .executeTakeFirstOrThrow();
}

/** The sequence of the latest record; 0 if there is none. */
export async function lastAuditSequence({
  organizationId,
  trx,
}: OrganizationScope): Promise<number> {
  const head = await trx
    .selectFrom('auditHeads')
    .select('sequence')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  return head?.sequence ?? 0;
}

const batchRows = 500;

/**
 * The next records of a range, in order; none means that the range is done. A batch is limited by
 * rows and by bytes, whichever comes first.
 */
export async function nextAudit(
  scope: OrganizationScope,
  filter: AuditFilter,
  range: AuditRange,
): Promise<AuditRecord[]> {
  const batch = within(ownRecords(scope, filter), range)
    .select(columns)
    .orderBy('sequence')
    .limit(batchRows);
  return leadingRecords(scope, batch);
}

function ownRecords({ organizationId, trx }: OrganizationScope, filter: AuditFilter) {
  return trx
    .selectFrom('auditLog')
    .where('organizationId', '=', organizationId)
    .where((eb) => eb.and(conditions(eb, filter)));
}

function within(records: ReturnType<typeof ownRecords>, { after, through }: AuditRange) {
  return records.where('sequence', '>', after).where('sequence', '<=', through);
}

function conditions(
  eb: ExpressionBuilder<Schema, 'auditLog'>,
  { from, to, actor, action }: AuditFilter,
) {
  return [
    ...(from === undefined ? [] : [eb('occurredAt', '>=', from)]),
    ...(to === undefined ? [] : [eb('occurredAt', '<', to)]),
    ...(action === undefined ? [] : [eb('action', '=', action)]),
    ...(actor === undefined
      ? []
      : [sql<boolean>`(actor->>'id' = ${actor} or actor->>'name' = ${actor})`]),
  ];
}
