import type { AuditRecord } from '@parley/protocol';

type Cell = string | number | null;

// A spreadsheet runs a cell that begins like this as a formula; an apostrophe makes it text. Some fold the full-width forms.
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
} as const satisfies Record<string, (record: AuditRecord) => Cell>;

export const csvHeader = row(Object.keys(columns));

export function csvRow(record: AuditRecord): string {
  return row(Object.values(columns).map((cellOf) => cellOf(record)));
}

/** RFC 4180. */
function row(cells: Cell[]): string {
  return `${cells.map(written).join(',')}\r\n`;
}

function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
