import { isDatabaseUnavailable } from '../postgres/availability.js';
import type { Database } from '../postgres/database.js';
import { isSchemaBehind } from '../postgres/schema-behind.js';
import { Journal, type JournalLimits, type JournalOptions, type Outcome } from './journal.js';
import { charactersOf, writeChanges, type RecordChange } from './record-changes.js';

/** The owner of a change: a session or a question. */
export type ChangeHolder = { readonly organizationId: string; readonly id: string };

/**
 * The only way to write to the record in the background. Close it after the last writer and before
 * the database.
 */
export type RecordJournal = {
  readonly waiting: number;
  add(holder: ChangeHolder, change: RecordChange, onSettled?: (outcome: Outcome) => void): void;
  /**
   * Resolves when everything added for the organization before is settled, or PostgreSQL is down.
   */
  caughtUp(organizationId: string): Promise<void>;
  /**
   * Resolves when everything is settled. Changes that PostgreSQL does not accept in time are given
   * up.
   */
  close(): Promise<void>;
};

/** The outcome of a change, and how long it took. */
export type SettledChange = {
  readonly kind: RecordChange['kind'];
  readonly outcome: Outcome;
  readonly seconds: number;
};

type Reports = 'onRetry' | 'onRefused' | 'onGivenUp';

export type RecordJournalOptions = Pick<JournalOptions<RecordChange>, Reports> & {
  readonly database: Pick<Database, 'inOrganization'>;
  readonly limits?: Partial<JournalLimits> | undefined;
  readonly onSettled?: (settled: SettledChange) => void;
};

export function openRecordJournal(options: RecordJournalOptions): RecordJournal {
  const { database, limits = {}, onRetry, onRefused, onGivenUp } = options;
  const journal = new Journal<RecordChange>({
    limits,
    onRetry,
    onRefused,
    onGivenUp,
    write: (organizationId, changes) =>
      database.inOrganization(organizationId, (scope) => writeChanges(scope, changes)),
    isPassing: (error) => isDatabaseUnavailable(error) || isSchemaBehind(error),
  });
  return {
    get waiting() {
      return journal.waiting;
    },
    add({ organizationId: lane, id: holder }, change, tell) {
      const addedAt = performance.now();
      const onSettled = (outcome: Outcome) => {
        const seconds = (performance.now() - addedAt) / 1000;
        options.onSettled?.({ kind: change.kind, outcome, seconds });
        tell?.(outcome);
      };
      journal.add({ lane, holder, change, characters: charactersOf(change), onSettled });
    },
    caughtUp: (organizationId) => journal.caughtUp(organizationId),
    close: () => journal.close(),
  };
}
