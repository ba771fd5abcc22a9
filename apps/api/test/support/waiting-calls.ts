import { randomUUID } from 'node:crypto';
import { openApproval, recordToolCall, type ConversationRecord } from '@parley/database';
import type { Approver } from '@parley/protocol';
import type { ApiUnderTest, Tenant } from './api-under-test.js';
import { recordSeed } from './record-seed.js';

type Waiting = {
  timeoutMs?: number;
  callId?: string;
  arguments?: unknown;
  approvers?: Approver[];
};

/** Opens calls that wait, as a realtime session does. */
export function callsOf(api: Pick<ApiUnderTest, 'database'>, tenant: Pick<Tenant, 'id'>) {
  const seed = recordSeed(api.database, tenant.id);
  return async (conversation: ConversationRecord, options: Waiting = {}) => {
    const {
      approvers = ['client', 'api'],
      timeoutMs = 3_600_000,
      callId = `call_${randomUUID()}`,
      arguments: input = {},
    } = options;
    const id = randomUUID();
    const sessionId = await seed.session(conversation);
    const owner = `pod-${id}`;
    const { id: conversationId, agentId } = conversation;
    const deadline = await api.database.inOrganization(tenant.id, async (scope) => {
      await recordToolCall(scope, {
        id,
        messageId: randomUUID(),
        conversationId,
        agentId,
        sessionId,
        runId: null,
        parentId: null,
        callId,
        name: 'pay',
        arguments: input,
        position: 1,
        createdAt: new Date(),
      });
      return openApproval(scope, id, { timeoutMs, approvers, owner });
    });
    return { id, callId, sessionId, owner, deadline };
  };
}
