export {
  createApprovalDesk,
  type Alarm,
  type ApprovalDesk,
  type ApprovalDeskOptions,
  type CallOfOrganization,
  type Verdict,
} from './approval-desk.js';
export { approvalMetrics, type ApprovalMetrics } from './approval-metrics.js';
export { coalesce } from './coalesce.js';
