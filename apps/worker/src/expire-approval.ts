import { DelayedError, type Job } from 'bullmq';
import type { ApprovalDesk } from '@parley/approvals';
import type { Logger } from '@parley/service-kit';
import type { ExpireApproval } from '@parley/session-store';
import { jobs } from './jobs.js';

const sweptWithinMs = jobs['sweep-approvals'].everySeconds * 1000;

/**
 * The timer of one approval, by the clock of this process. PostgreSQL may say that it is early. A
 * timer that is far too early was taken by a clock that is ahead, which cannot set it for the
 * others: then the sweep expires the approval.
 */
export function expireApproval(approvals: Pick<ApprovalDesk, 'expire'>, logger: Logger) {
  return async (job: Job<ExpireApproval, void>, token?: string): Promise<void> => {
    const { id } = job.data;
    try {
      const result = await approvals.expire(id);
      if (result.outcome !== 'early' || result.remainingMs > sweptWithinMs) {
        logger.debug({ approval: id, ...result }, 'approval timer');
        return;
      }
      await job.moveToDelayed(Date.now() + result.remainingMs, token);
    } catch (err) {
      logger.error({ err, approval: id }, 'approval timer failed; the sweep will retry');
      throw err;
    }
    throw new DelayedError();
  };
}
