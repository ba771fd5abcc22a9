import { overdueApprovals } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

/** For the timer of the approval, which is the one that should fire, and for clocks that differ. */
const graceMs = 5000;

/** Approvals whose timer was lost: those that Redis knows, and those of the record that it does not know any more. */
export async function sweepApprovals({
  approvals,
  database,
  desk,
}: JobContext): Promise<JobResult> {
  const known = await approvals.overdue(batchSize);
  const recorded = await database.asSystem((system) =>
    overdueApprovals(system, { graceMs, limit: batchSize }),
  );
  const expiries = [
    ...known.map((id) => () => desk.expire(id)),
    ...recorded.map((call) => () => desk.expire(call.id, call)),
  ];
  let rows = 0;
  const failures: unknown[] = [];
  for (const expire of expiries)
    try {
      if ((await expire()).outcome === 'expired') rows += 1;
    } catch (error) {
      // One that cannot be settled keeps none of the others waiting.
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
  return { rows, more: [known, recorded].some(({ length }) => length === batchSize) };
}
