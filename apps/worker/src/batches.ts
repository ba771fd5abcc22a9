import { isDatabaseUnavailable, isStatementTimeout } from '@parley/database';
import { isRedisAway } from '@parley/session-store';
import { batchSize, type JobResult } from './job.js';

/** If a store is away for so many in a row, the rest would only fail as slowly. */
const patience = 5;

/** Takes all steps of a run, one after the other: one that fails does not block the others. */
export async function allOf(steps: Iterable<() => Promise<JobResult>>): Promise<JobResult> {
  let [rows, more, inARow] = [0, false, 0];
  let failure: Error | undefined;
  for (const step of steps) {
    if (inARow === patience) break;
    try {
      const result = await step();
      rows += result.rows;
      more ||= result.more;
      failure ??= result.failure;
      inARow = 0;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failure ??= error;
      inARow = isStoreAway(error) ? inARow + 1 : 0;
    }
  }
  return { rows, more, ...(failure && { failure }) };
}

/** A statement that took too long says nothing about others. */
function isStoreAway(error: Error): boolean {
  return (isDatabaseUnavailable(error) && !isStatementTimeout(error)) || isRedisAway(error);
}

/** Does the same with each item of a batch. Items that fail are no reason to hurry. */
export async function eachOf<T>(
  batch: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<JobResult> {
  const done = await allOf(
    batch.map((item) => async () => {
      await work(item);
      return { rows: 1, more: false };
    }),
  );
  return { ...done, more: batch.length === batchSize && done.rows > 0 };
}

/** What a statement that takes one batch has changed. */
export function batchOf(rows: number): JobResult {
  return { rows, more: rows === batchSize };
}
