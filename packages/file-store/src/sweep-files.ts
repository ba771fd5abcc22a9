import {
  deleteFileRows,
  expireAgain,
  type Database,
  type OrganizationScope,
  type StoredFile,
} from '@parley/database';
import { RemovalRefused } from './chunk-store.js';

/** Called in the transaction that removed rows of an organization. */
export type OnRemoved = (scope: OrganizationScope, count: number) => Promise<void>;

/** How many rows were deleted, and the first of the failures, if any. */
export type Swept = { readonly rows: number; readonly failure?: Error };

type Ports = {
  readonly database: Database;
  /** Deletes the bytes of a file. */
  readonly remove: (file: StoredFile) => Promise<void>;
};

/** After so many failures in a row, the rest would only fail as slowly. */
const patience = 5;

/**
 * A file that cannot be deleted does not block the others: they are deleted now, and the next sweeps
 * try it again after all that have expired by now.
 */
export async function sweepFiles(
  { database, remove }: Ports,
  files: readonly StoredFile[],
  onRemoved: OnRemoved,
): Promise<Swept> {
  const removed = new Map<string, StoredFile[]>();
  const unremoved = await failing(files, async (file) => {
    await remove(file);
    const { organizationId } = file;
    removed.set(organizationId, [...(removed.get(organizationId) ?? []), file]);
  });
  let rows = 0;
  const unrecorded = await failing(removed, async ([organizationId, own]) => {
    rows += await deleteRows(database, { organizationId, ids: idsOf(own) }, onRemoved);
  });
  const [failure] = [...unremoved, ...unrecorded];
  if (!failure) return { rows };
  const kept = [
    ...unremoved.map(({ item }) => item),
    ...unrecorded.flatMap(({ item: [, own] }) => own),
  ];
  await database.asSystem((system) => expireAgain(system, idsOf(kept)));
  return { rows, failure: failure.error };
}

type Failure<T> = { readonly item: T; readonly error: Error };

async function failing<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<Failure<T>[]> {
  const failures: Failure<T>[] = [];
  let inARow = 0;
  for (const item of items) {
    if (inARow === patience) break;
    try {
      await work(item);
      inARow = 0;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failures.push({ item, error });
      inARow = error instanceof RemovalRefused ? 0 : inARow + 1;
    }
  }
  return failures;
}

/** One transaction per organization. */
async function deleteRows(
  database: Database,
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
  onRemoved: OnRemoved,
): Promise<number> {
  return database.inOrganization(organizationId, async (scope) => {
    const count = await deleteFileRows(scope, ids);
    if (count > 0) await onRemoved(scope, count);
    return count;
  });
}

function idsOf(files: readonly StoredFile[]): string[] {
  return files.map(({ id }) => id);
}
