import { randomBytes, randomUUID } from 'node:crypto';
import { approvers } from '@parley/protocol';
import { insertAgent } from '#src/agents/agents.js';
import { openApproval } from '#src/calls/approval-decisions.js';
import { insertConversation } from '#src/conversations/conversations.js';
import type { OrganizationScope } from '#src/postgres/database.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { startRealtimeSession } from '#src/conversations/realtime-sessions.js';
import { findToolCall, recordToolCall, type NewToolCall } from '#src/calls/tool-calls.js';
import { migratedDatabase, plainAgent } from '@parley/testkit';

/** An organization with one conversation in which tools are called. */
export async function calledTools() {
  const db = await migratedDatabase();
  const { id: organizationId } = await db.database.asSystem((system) =>
    insertOrganization(system, { name: 'O' }),
  );
  const work = <T>(step: (scope: OrganizationScope) => Promise<T>): Promise<T> =>
    db.database.inOrganization(organizationId, step);
  const agentId = await work((scope) => insertAgent(scope, plainAgent));
  const { id: conversationId } = await work((scope) => insertConversation(scope, agentId));
  const newSession = async (): Promise<string> => {
    const id = randomUUID();
    const session = { id, agentId, conversationId, tokenHash: randomBytes(32), keyId: null };
    await work((scope) => startRealtimeSession(scope, session));
    return id;
  };
  const newCall = (fields: Partial<NewToolCall> = {}): NewToolCall => ({
    id: randomUUID(),
    messageId: randomUUID(),
    conversationId,
    sessionId: null,
    runId: null,
    parentId: null,
    agentId,
    callId: `call_${randomUUID()}`,
    name: 'pay',
    arguments: { amount: 5 },
    position: Date.now() * 1000,
    createdAt: new Date(),
    ...fields,
  });
  const record = async (fields: Partial<NewToolCall> = {}): Promise<NewToolCall> => {
    const call = newCall(fields);
    await work((scope) => recordToolCall(scope, call));
    return call;
  };
  return {
    url: db.url,
    database: db.database,
    organizationId,
    agentId,
    conversationId,
    work,
    newSession,
    newCall,
    record,
    /** Recorded, and waiting until so many seconds from now. */
    waiting: async (fields: Partial<NewToolCall> = {}, seconds = 300): Promise<NewToolCall> => {
      const call = await record(fields);
      const opening = { timeoutMs: seconds * 1000, approvers, owner: 'pod-1' };
      await work((scope) => openApproval(scope, call.id, opening));
      return call;
    },
    stored: async (id: string) => (await work((scope) => findToolCall(scope, id)))!,
    message: ({ messageId }: NewToolCall) =>
      work(({ trx }) =>
        trx
          .selectFrom('messages')
          .select(['role', 'content', 'status'])
          .where('id', '=', messageId)
          .executeTakeFirstOrThrow(),
      ),
    drop: () => db.drop(),
  };
}

export type CalledTools = Awaited<ReturnType<typeof calledTools>>;
