import { randomBytes, randomUUID } from 'node:crypto';
import {
  insertConversation,
  startRealtimeSession,
  type ConversationRecord,
  type Database,
  type MessageRecord,
  type ModelUsage,
  type OrganizationScope,
  type ToolCallRecord,
} from '@parley/database';
import { toolCallStatus } from '@parley/protocol';

type MessageSeed = { position: number } & Partial<Omit<MessageRecord, 'id' | 'toolCall'>>;
type ToolCallSeed = { messageId: string } & Omit<ToolCallRecord, 'id' | 'agentId' | 'parentId'>;
type UsageSeed = { sessionId: string; source: 'response' | 'transcription' } & Pick<
  ModelUsage,
  'model'
> &
  Partial<ModelUsage>;

const jsonOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

/** Writes into an organization's record what its realtime sessions leave there. */
export function recordSeed(database: Database, organizationId: string) {
  const write = <T>(work: (scope: OrganizationScope) => Promise<T>): Promise<T> =>
    database.inOrganization(organizationId, work);
  return {
    conversation: (agentId: string): Promise<ConversationRecord> =>
      write((scope) => insertConversation(scope, agentId)),

    session: ({ id: conversationId, agentId }: ConversationRecord): Promise<string> =>
      write(async (scope) => {
        const id = randomUUID();
        const tokenHash = randomBytes(32);
        await startRealtimeSession(scope, {
          ...{ id, agentId, conversationId, tokenHash, keyId: null },
        });
        return id;
      }),

    endSession: (id: string, end: { endReason: string; closeCode: number }) =>
      write(({ trx }) =>
        trx
          .updateTable('realtimeSessions')
          .set({ ...end, endedAt: new Date() })
          .where('id', '=', id)
          .execute(),
      ),

    message: ({ id: conversationId }: ConversationRecord, seed: MessageSeed): Promise<string> =>
      write(async ({ trx }) => {
        const { id } = await trx
          .insertInto('messages')
          .values({
            organizationId,
            conversationId,
            sessionId: null,
            role: 'user',
            content: '',
            status: 'completed',
            itemId: null,
            audioEndMs: null,
            ...seed,
            usage: jsonOrNull(seed.usage),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      }),

    toolCall: (
      { id: conversationId, agentId }: ConversationRecord,
      seed: ToolCallSeed,
    ): Promise<string> =>
      write(async ({ trx }) => {
        const { id } = await trx
          .insertInto('toolCalls')
          .values({
            organizationId,
            conversationId,
            agentId,
            sessionId: null,
            finishedAt: null,
            ...seed,
            status: toolCallStatus[seed.status],
            arguments: JSON.stringify(seed.arguments),
            decidedBy: jsonOrNull(seed.decidedBy),
            result: jsonOrNull(seed.result),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      }),

    delivery: (
      webhookId: string,
      state: 'pending' | 'delivered' | 'failed' = 'delivered',
    ): Promise<string> =>
      write(async ({ trx }) => {
        const row = { organizationId, webhookId, event: 'task.changed', body: '{}' };
        const { id } = await trx
          .insertInto('webhookDeliveries')
          .values(row)
          .returning('id')
          .executeTakeFirstOrThrow();
        const over = {
          attempts: 1,
          nextAttemptAt: null,
          deliveredAt: state === 'delivered' ? new Date() : null,
        };
        if (state !== 'pending')
          await trx.updateTable('webhookDeliveries').set(over).where('id', '=', id).execute();
        return id;
      }),

    usage: (
      { id: conversationId }: ConversationRecord,
      { transcriptionSeconds: seconds = 0, ...seed }: UsageSeed,
    ) =>
      write(({ trx }) =>
        trx
          .insertInto('usageRecords')
          .values({ organizationId, conversationId, sourceId: randomUUID(), seconds, ...seed })
          .execute(),
      ),
  };
}
