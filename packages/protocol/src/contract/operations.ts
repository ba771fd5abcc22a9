import { agentOperations } from './agent-operations.js';
import { approvalOperations } from './approval-operations.js';
import { auditOperations } from './audit-operations.js';
import { connectionOperations } from './connection-operations.js';
import { conversationOperations } from './conversation-operations.js';
import { eventOperations } from './event-operations.js';
import { fileOperations } from './file-operations.js';
import type { Operation } from './operation.js';
import { questionOperations } from './question-operations.js';
import { realtimeOperations } from './realtime-operations.js';
import { taskOperations } from './task-operations.js';
import { webhookOperations } from './webhook-operations.js';

/** Every REST operation. The router, its types and the OpenAPI document derive from it. */
export const operations = {
  ...agentOperations,
  ...connectionOperations,
  ...questionOperations,
  ...realtimeOperations,
  ...approvalOperations,
  ...conversationOperations,
  ...taskOperations,
  ...webhookOperations,
  ...eventOperations,
  ...auditOperations,
  ...fileOperations,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
