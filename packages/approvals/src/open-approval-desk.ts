import type { Registry } from 'prom-client';
import {
  createApprovalDesk,
  type ApprovalDesk,
  type ApprovalDeskOptions,
} from './approval-desk.js';
import { approvalMetrics } from './approval-metrics.js';

export type OpenApprovalDeskOptions = Omit<ApprovalDeskOptions, 'metrics' | 'onError'> & {
  readonly registry: Registry;
  readonly logger: { warn(fields: object, message: string): void };
};

/** The desk of a process, with its metrics and its log. */
export function openApprovalDesk(options: OpenApprovalDeskOptions): ApprovalDesk {
  const { registry, logger, ...stores } = options;
  return createApprovalDesk({
    ...stores,
    metrics: approvalMetrics(registry),
    onError: (err) => logger.warn({ err }, 'approval timer or hint failed'),
  });
}
