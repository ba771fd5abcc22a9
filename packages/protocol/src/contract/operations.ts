import { agentOperations } from './agent-operations.js';
import { approvalOperations } from './approval-operations.js';
import { auditOperations } from './audit-operations.js';
import { connectionOperations } from './connection-operations.js';
import { consoleOperations } from './console-operations.js';
import { conversationOperations } from './conversation-operations.js';
import { eventOperations } from './event-operations.js';
import { fileOperations } from './file-operations.js';
import { managementOperations } from './management-operations.js';
import type { Operation } from './operation.js';
import { questionOperations } from './question-operations.js';
import { realtimeOperations } from './realtime-operations.js';
import { taskOperations } from './task-operations.js';
import { usageOperations } from './usage-operations.js';
import { webhookOperations } from './webhook-operations.js';

/** Every REST operation that applies to an organization. */
export const organizationOperations = {
  ...agentOperations,
  ...connectionOperations,
  ...questionOperations,
  ...realtimeOperations,
  ...approvalOperations,
  ...conversationOperations,
  ...usageOperations,
  ...taskOperations,
  ...webhookOperations,
  ...eventOperations,
  ...auditOperations,
  ...fileOperations,
  ...managementOperations,
} as const satisfies Record<string, Operation>;

/** Every REST operation. The routers, their types and the OpenAPI document derive from it. */
export const operations = {
  ...organizationOperations,
  ...consoleOperations,
} as const satisfies Record<string, Operation>;

export type OrganizationOperationId = keyof typeof organizationOperations;
export type OperationId = keyof typeof operations;
