import { sql } from 'kysely';
import type { OpenedBy } from '../access/openers.js';
import { violatedConstraint } from '../postgres/availability.js';
import type { OrganizationScope } from '../postgres/database.js';
import { prepare, raw } from '../postgres/prepared.js';
import { announce } from '../webhooks/announced.js';
import { announceEvent } from '../webhooks/webhook-deliveries.js';

export type RealtimeSessionStart = OpenedBy & {
  id: string;
  agentId: string;
  conversationId: string;
  tokenHash: Buffer;
};

const start = prepare<Required<RealtimeSessionStart> & { organizationId: string }>()(
  'start-session',
  (db, session) =>
    raw(sql`insert into realtime_sessions
      (id, organization_id, agent_id, conversation_id, key_id, member_id, token_hash)
    values (${session.id}, ${session.organizationId}, ${session.agentId},
      ${session.conversationId}, ${session.keyId}, ${session.memberId}, ${session.tokenHash})`)(db),
);

/**
 * Records a session under the hash of its token, permanently. It is written with what follows in the
 * transaction, which fails if the hash exists; see `isTokenUsed`.
 */
export async function startRealtimeSession(
  { organizationId, trx }: OrganizationScope,
  session: RealtimeSessionStart,
): Promise<void> {
  await start.later(trx, { memberId: null, ...session, organizationId });
}

/** Whether a transaction failed because the token of its session was already used. */
export function isTokenUsed(error: unknown): boolean {
  return violatedConstraint(error) === 'realtime_sessions_token_hash_key';
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
