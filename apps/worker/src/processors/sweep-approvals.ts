import type { JobContext, JobResult } from '../job.js';

/** Approvals whose timer was lost. */
export async function sweepApprovals({
  approvals,
}: Pick<JobContext, 'approvals'>): Promise<JobResult> {
  return { rows: await approvals.expireDue(), more: false };
}
