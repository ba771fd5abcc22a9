export {
  createApprovalDesk,
  type ApprovalDesk,
  type ApprovalDeskOptions,
  type WaitingCall,
} from './approval-desk.js';
export { measureDecisions } from './measure-decisions.js';
export { approvalMetrics, type ApprovalMetrics } from './approval-metrics.js';
