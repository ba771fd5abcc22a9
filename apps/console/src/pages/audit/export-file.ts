import type { AuditRecord, ExportAuditLogQuery, Parley } from '@parley/client/server';

export type ExportFormat = 'csv' | 'jsonl';
export type Progress = { readonly records: number; readonly bytes: number };

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  jsonl: 'application/x-ndjson',
};

type Audit = Pick<Parley['audit'], 'export' | 'exportCsv'>;
type Piece = { readonly text: string; readonly records: number };

/**
 * Reads an export to its end and reports progress. Chunks are kept as blobs, which browsers may
 * store on disk.
 */
export async function readExport(
  audit: Audit,
  asked: {
    readonly format: ExportFormat;
    readonly query: ExportAuditLogQuery;
    readonly signal: AbortSignal;
  },
  tell: (progress: Progress) => void,
): Promise<Blob> {
  const { format, query, signal } = asked;
  const source =
    format === 'csv'
      ? csvPieces(audit.exportCsv(query, { signal }))
      : jsonPieces(audit.export(query, { signal }));
  const parts: Blob[] = [];
  let progress: Progress = { records: 0, bytes: 0 };
  for await (const { text, records } of source) {
    const part = new Blob([text]);
    parts.push(part);
    progress = { records: progress.records + records, bytes: progress.bytes + part.size };
    tell(progress);
  }
  return new Blob(parts, { type: mediaTypes[format] });
}

const perPiece = 200;

/** Serializes the client's records again, many at a time. */
async function* jsonPieces(records: AsyncIterable<AuditRecord>): AsyncGenerator<Piece> {
  let lines: string[] = [];
  for await (const record of records) {
    lines.push(`${JSON.stringify(record)}\n`);
    if (lines.length < perPiece) continue;
    yield { text: lines.join(''), records: lines.length };
    lines = [];
  }
  if (lines.length > 0) yield { text: lines.join(''), records: lines.length };
}

/** A row ends with a line break outside quotation marks; the first row is the header. */
async function* csvPieces(pieces: AsyncIterable<string>): AsyncGenerator<Piece> {
  let quoted = false;
  let rows = -1;
  for await (const text of pieces) {
    const before = Math.max(0, rows);
    for (const character of text) {
      if (character === '"') quoted = !quoted;
      if (character === '\n' && !quoted) rows += 1;
    }
    yield { text, records: Math.max(0, rows) - before };
  }
}

/** Saves a file as if the user had followed a download link. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // By then, the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
