import { announce } from '../webhooks/announced.js';
import type { OrganizationScope } from '../postgres/database.js';
import type { OpenedBy } from '../access/openers.js';
import { announceEvent } from '../webhooks/webhook-deliveries.js';

export type RealtimeSessionStart = OpenedBy & {
  id: string;
  agentId: string;
  conversationId: string;
  tokenHash: Buffer;
};

/**
 * Records a session under the hash of its token, permanently. False if the hash exists: the token
 * was already used.
 */
export async function startRealtimeSession(
  { organizationId, trx }: OrganizationScope,
  session: RealtimeSessionStart,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('realtimeSessions')
    .values({ ...session, organizationId })
    .onConflict((conflict) => conflict.column('tokenHash').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Announces a session that was recorded and admitted. */
export function announceRealtimeSession(
  scope: OrganizationScope,
  { id, agentId, conversationId }: Pick<RealtimeSessionStart, 'id' | 'agentId' | 'conversationId'>,
): void {
  announce(scope, 'session.started', { id, agentId, conversationId });
}

export type RealtimeSessionEnd = {
  id: string;
  endedAt: Date;
  /** The name of the close code, or another reason. */
  endReason: string;
  closeCode: number;
  bytesFromClient: number;
  bytesFromProvider: number;
};

/**
 * The first to record the end wins: the gateway that held the session, or the sweep that found it
 * dead.
 */
export async function endRealtimeSession(
  scope: OrganizationScope,
  { id, ...end }: RealtimeSessionEnd,
): Promise<void> {
  const { organizationId, trx } = scope;
  const { endedAt, endReason, closeCode } = end;
  const ended = await trx
    .updateTable('realtimeSessions')
    .set(end)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning(['id', 'agentId', 'conversationId', 'startedAt'])
    .executeTakeFirst();
  if (ended)
    await announceEvent(scope, 'session.ended', {
      ...ended,
      startedAt: ended.startedAt.toISOString(),
      endedAt: endedAt.toISOString(),
      endReason,
      closeCode,
    });
}
