import { UsageQuery, UsageReport } from '../schemas/usage-report.js';
import type { Operation } from './operation.js';

export const usageOperations = {
  getUsage: {
    method: 'get',
    path: '/Usage',
    tag: 'Usage',
    summary: 'Read usage over time, and the quotas',
    description:
      'One item per UTC hour or day, at most 1,000. Usage is computed from the record: when a conversation is deleted, so is its usage.',
    scope: 'conversations',
    query: UsageQuery,
    success: { status: 200, schema: UsageReport },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
