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
    summary: 'List approvals, oldest first; by default only those that are waiting',
    description: 'Returns a page of tool calls that need, or needed, a person’s decision.',
    scope: 'approvals',
    query: ApprovalQuery,
    success: { status: 200, schema: ApprovalPage },
    problems: ['query-invalid'],
  },
  approveCall: {
    ...decision,
    problems: [...decision.problems, 'approval-session-silent'],
    path: '/Approval/{callId}/approve',
    summary: 'Approve a waiting tool call; it then runs once',
    description:
      'If several callers decide the same call, exactly one wins; the others get 409. Identify the call by the approval’s id, or by the provider’s call id.',
  },
  rejectCall: {
    ...decision,
    path: '/Approval/{callId}/reject',
    summary: 'Reject a waiting tool call; the model is told',
    description:
      'The tool does not run. If several callers decide the same call, exactly one wins; the others get 409.',
  },
} as const satisfies Record<string, Operation>;
