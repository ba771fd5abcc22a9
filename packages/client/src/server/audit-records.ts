import type { AuditRecord } from './contract.js';
import { ParleyConnectionError } from './errors.js';
import { LineSplitter } from './lines.js';

/** Parses the records of one connection: JSON, one record per line. */
export async function* auditRecords(pieces: AsyncIterable<string>): AsyncGenerator<AuditRecord> {
  const lines = new LineSplitter();
  for await (const piece of pieces) for (const line of lines.push(piece)) yield recordIn(line);
  if (lines.rest !== '')
    throw new ParleyConnectionError('lost', 'The export ended in the middle of a record.');
}

function recordIn(line: string): AuditRecord {
  try {
    return JSON.parse(line) as AuditRecord;
  } catch (cause) {
    throw new ParleyConnectionError('unreadable', 'A line of the export is not valid JSON.', {
      cause,
    });
  }
}
