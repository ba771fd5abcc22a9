import { sql } from 'kysely';
import type { OpenedBy } from '../access/openers.js';
import { cancelSessionCalls } from '../calls/cancel-calls.js';
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

/** Keeps what a resumable session was created with, so that another pod can continue it. */
export async function keepTicket(
  { organizationId, trx }: OrganizationScope,
  { id, ticket }: { id: string; ticket: object },
): Promise<void> {
  await trx
    .updateTable('realtimeSessions')
    .set({ ticket: JSON.stringify(ticket) })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** The end of a session whose pod hands it over. */
export const handedOver = 'ServiceRestart';

/**
 * Takes a session over from its pod, once: the session ends, and so does what it left open, and
 * nothing that the pod writes afterwards has any effect. Returns what the session was created with;
 * undefined if it is over, or was never resumable.
 */
export async function takeOverSession(
  scope: OrganizationScope,
  { id, agentId, conversationId }: { id: string; agentId: string; conversationId: string },
): Promise<unknown> {
  const { organizationId, trx } = scope;
  const session = await trx
    .selectFrom('realtimeSessions')
    .select(['ticket', 'endedAt'])
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .where('conversationId', '=', conversationId)
    .where('movedAt', 'is', null)
    .where('ticket', 'is not', null)
    .where((eb) => eb.or([eb('endedAt', 'is', null), eb('endReason', '=', handedOver)]))
    .forUpdate()
    .executeTakeFirst();
  if (!session) return undefined;
  await trx
    .updateTable('realtimeSessions')
    .set({
      movedAt: sql<Date>`now()`,
      ticket: null,
      ...(session.endedAt === null && { endedAt: sql<Date>`now()`, endReason: 'moved' }),
    })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute();
  await cancelSessionCalls(scope, id);
  if (session.endedAt === null) announce(scope, 'session.ended', { id, agentId, conversationId });
  return session.ticket;
}

/** Which of these sessions were taken over; none is until the transaction ends. */
export async function movedSessions(
  { organizationId, trx }: OrganizationScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx
    .selectFrom('realtimeSessions')
    .select(['id', 'movedAt'])
    .where('organizationId', '=', organizationId)
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .forShare()
    .execute();
  return new Set(rows.flatMap(({ id, movedAt }) => (movedAt === null ? [] : [id])));
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
    .set(endReason === handedOver ? end : { ...end, ticket: null })
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
