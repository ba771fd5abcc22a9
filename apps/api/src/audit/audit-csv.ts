import { stringify } from 'csv-stringify/sync';
import type { AuditRecord } from '@parley/protocol';

// Spreadsheets run a cell that starts like this as a formula; an apostrophe makes it text. Some
// also accept the full-width forms. The library's escape_formulas does not cover line feeds.
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/** Column → cell. */
const columns = {
  sequence: ({ sequence }) => sequence,
  occurredAt: ({ occurredAt }) => occurredAt,
  actorKind: ({ actor }) => actor.kind,
  actorId: ({ actor }) => actor.id ?? null,
  actorName: ({ actor }) => actor.name,
  action: ({ action }) => action,
  resourceType: ({ resourceType }) => resourceType,
  resourceId: ({ resourceId }) => resourceId,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  previousHash: ({ previousHash }) => previousHash,
  hash: ({ hash }) => hash,
} as const satisfies Record<string, (record: AuditRecord) => string | number | null>;

export const csvHeader = row(Object.keys(columns));

export function csvRow(record: AuditRecord): string {
  return row(Object.values(columns).map((cellOf) => cellOf(record)));
}

function row(cells: unknown[]): string {
  return stringify([cells], {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    cast: { string: (cell) => (formula.test(cell) ? `'${cell}` : cell) },
  });
}
