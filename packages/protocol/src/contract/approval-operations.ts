import { Approval, ApprovalPage, ApprovalQuery, ApprovalReference } from '../schemas/approval.js';
import type { Operation } from './operation.js';

const decision = {
  method: 'post',
  tag: 'Approval',
  scope: 'approvals',
  role: 'approver',
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
    description: 'A page of tool calls that need a person’s decision, or needed it.',
    scope: 'approvals',
    query: ApprovalQuery,
    success: { status: 200, schema: ApprovalPage },
    problems: ['query-invalid'],
  },
  approveCall: {
    ...decision,
    path: '/Approval/{callId}/approve',
    summary: 'Approve a tool call that waits; it is then run once',
    description:
      'Of everybody who decides about a call, exactly one wins; the others get 409. Name the call by the approval’s id, or by the provider’s id of the call.',
  },
  rejectCall: {
    ...decision,
    path: '/Approval/{callId}/reject',
    summary: 'Reject a tool call that waits; the model is told',
    description:
      'The tool is not run. Of everybody who decides about a call, exactly one wins; the others get 409.',
  },
} as const satisfies Record<string, Operation>;
