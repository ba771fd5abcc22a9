export {
  createApprovalDesk,
  type ApprovalDesk,
  type ApprovalDeskOptions,
} from './approval-desk.js';
export {
  decideInRecord,
  type ApprovalRecordOptions,
  type PendingCall,
  type WaitingCall,
} from './approval-record.js';
export { measureDecisions } from './measure-decisions.js';
export { approvalMetrics, type ApprovalMetrics } from './approval-metrics.js';
