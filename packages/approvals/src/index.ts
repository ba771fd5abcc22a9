export {
  createApprovalDesk,
  type Alarm,
  type ApprovalDesk,
  type CallOfOrganization,
  type Verdict,
} from './approval-desk.js';
export { approvalMetrics } from './approval-metrics.js';
export { coalesce } from './coalesce.js';
export { openApprovalDesk } from './open-approval-desk.js';
