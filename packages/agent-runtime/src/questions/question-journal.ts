import { openRecordJournal, type Database, type RecordJournal } from '@parley/database';
import type { Report } from '../tools/attempt.js';

/** Where a process that answers questions writes the outcomes of their calls, and their cost. */
export function openQuestionJournal(
  { background }: Pick<Database, 'background'>,
  report: Report,
  closeMs: number,
): RecordJournal {
  return openRecordJournal({
    database: background,
    limits: { closeMs },
    onRetry: (err, waiting) => report('record write failed; retrying', { err, waiting }),
    onRefused: (err, { kind }) => report('record rejected by the database', { err, kind }),
    onGivenUp: (changes) => report('record lost while stopping', { changes }),
  });
}
