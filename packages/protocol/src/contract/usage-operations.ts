import { UsageQuery, UsageReport } from '../schemas/usage-report.js';
import type { Operation } from './operation.js';

export const usageOperations = {
  getUsage: {
    method: 'get',
    path: '/Usage',
    tag: 'Usage',
    summary: 'Read what was used over time, and what the quotas leave',
    description:
      'One item per hour or day of UTC, at most 1,000 of them. It is counted from the record: what a conversation used is gone when the conversation is deleted.',
    scope: 'conversations',
    query: UsageQuery,
    success: { status: 200, schema: UsageReport },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
