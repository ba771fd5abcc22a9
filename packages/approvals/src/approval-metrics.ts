import { Counter, Histogram, type Registry } from 'prom-client';
import type { FinalApproval } from '@parley/database';

export type ApprovalMetrics = {
  /** The age is in seconds since the call was made. */
  decided(approval: FinalApproval, ageSeconds: number): void;
  expired(lateSeconds: number): void;
  /** A pod was notified, but nobody was listening. */
  unheard(): void;
};

const outcomes = ['approved', 'rejected', 'expired', 'cancelled'] as const;
const perRegistry = new WeakMap<Registry, ApprovalMetrics>();

/** The metrics of a registry: the same ones each time, for apps that share a registry. */
export function approvalMetrics(registry: Registry): ApprovalMetrics {
  const metrics = perRegistry.get(registry) ?? createMetrics(registry);
  perRegistry.set(registry, metrics);
  return metrics;
}

function createMetrics(registry: Registry): ApprovalMetrics {
  const registers = [registry];
  const decisions = new Counter({
    name: 'parley_approval_decisions_total',
    help: 'Approvals decided by this process, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const lateness = new Histogram({
    name: 'parley_approval_expiry_late_seconds',
    help: 'How long after its deadline an approval expired, on PostgreSQL’s clock.',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const age = new Histogram({
    name: 'parley_approval_age_seconds',
    help: 'How long approvals had been waiting when they were decided, by outcome.',
    labelNames: ['outcome'],
    buckets: [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1800],
    registers,
  });
  const unheard = new Counter({
    name: 'parley_approval_hints_unheard_total',
    help: 'Decisions published to a pod that was not listening; not measured in a Redis Cluster, whose nodes only count their own subscribers.',
    registers,
  });
  for (const outcome of outcomes) {
    decisions.inc({ outcome }, 0);
    age.zero({ outcome });
  }
  return {
    decided(outcome, seconds) {
      decisions.inc({ outcome });
      age.observe({ outcome }, Math.max(0, seconds));
    },
    expired: (seconds) => lateness.observe(seconds),
    unheard: () => unheard.inc(),
  };
}
