import type { JobContext, JobResult } from '../job.js';

/** Expires approvals whose timer was lost. */
export async function sweepApprovals({
  approvals,
}: Pick<JobContext, 'approvals'>): Promise<JobResult> {
  return { rows: await approvals.expireDue(), more: false };
}
