import { DelayedError, type Job } from 'bullmq';
import type { ApprovalDesk } from '@parley/approvals';
import type { Logger } from '@parley/service-kit';
import type { ExpireApproval } from '@parley/session-store';

/** The timer of one approval, by the clock of this process. PostgreSQL may say that it is early. */
export function expireApproval(approvals: Pick<ApprovalDesk, 'expire'>, logger: Logger) {
  return async (job: Job<ExpireApproval, void>, token?: string): Promise<void> => {
    const { id } = job.data;
    try {
      const result = await approvals.expire(id);
      if (result.outcome !== 'early') {
        logger.debug({ approval: id, outcome: result.outcome }, 'approval timer');
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
