import { Approval, ApprovalPage, ApprovalQuery, ApprovalReference } from '../schemas/approval.js';
import type { Operation } from './operation.js';

const decision = {
  method: 'post',
  tag: 'Approval',
  scope: 'approvals',
  params: { callId: ApprovalReference },
  success: { status: 200, schema: Approval },
  problems: ['approval-client-only', 'approval-decided', 'approval-ambiguous'],
} as const;

export const approvalOperations = {
  listApprovals: {
    method: 'get',
    path: '/Approval',
    tag: 'Approval',
    summary: 'List approvals, oldest first; those that wait unless another state is asked for',
    scope: 'approvals',
    query: ApprovalQuery,
    success: { status: 200, schema: ApprovalPage },
    problems: ['query-invalid'],
  },
  approveCall: {
    ...decision,
    path: '/Approval/{callId}/approve',
    summary: 'Approve a tool call that waits; it is then run once',
  },
  rejectCall: {
    ...decision,
    path: '/Approval/{callId}/reject',
    summary: 'Reject a tool call that waits; the model is told',
  },
} as const satisfies Record<string, Operation>;
