import type { Approvals } from '@parley/session-store';
import type { ApprovalMetrics } from './approval-metrics.js';

/** The same approvals; each decision is measured by the process that made it. */
export function measureDecisions(approvals: Approvals, metrics: ApprovalMetrics): Approvals {
  return {
    ...approvals,
    async decide(id, decision, by) {
      const outcome = await approvals.decide(id, decision, by);
      if (outcome.outcome === 'decided') metrics.aged(decision, outcome.ageMs / 1000);
      // Whoever decides after the deadline makes it expire.
      if (outcome.outcome === 'late' && outcome.ageMs !== undefined)
        metrics.aged(outcome.state, outcome.ageMs / 1000);
      return outcome;
    },
    async expire(id) {
      const outcome = await approvals.expire(id);
      if (outcome.outcome === 'decided') {
        metrics.aged('expired', outcome.ageMs / 1000);
        metrics.expired(outcome.lateMs / 1000);
      }
      return outcome;
    },
  };
}
