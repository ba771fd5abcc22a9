import { sql, type Selectable } from 'kysely';
import { handedOverEnd } from '@parley/protocol';
import type { OpenedBy } from '../access/openers.js';
import { violatedConstraint } from '../postgres/availability.js';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { prepare, raw } from '../postgres/prepared.js';
import type { Schema } from '../postgres/schema.js';
import { announce } from '../webhooks/announced.js';
import { announceEvents } from '../webhooks/webhook-deliveries.js';

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

export type RefusedSession = { id: string; endReason: string; closeCode: number | null };

const refuse = prepare<RefusedSession & { organizationId: string }>()(
  'refuse-session',
  (db, session) =>
    raw(sql`update realtime_sessions
      set ended_at = now(), end_reason = ${session.endReason}, close_code = ${session.closeCode},
        bytes_from_client = 0, bytes_from_provider = 0, ticket = null
      where organization_id = ${session.organizationId} and id = ${session.id}`)(db),
);

/**
 * Ends a session in the transaction that records it: its token stays used, and nobody hears of a
 * session that was never announced. It is written with what follows in the transaction.
 */
export async function refuseRealtimeSession(
  { organizationId, trx }: OrganizationScope,
  session: RefusedSession,
): Promise<void> {
  await refuse.later(trx, { ...session, organizationId });
}

/** Whether a transaction failed because the token of its session was already used. */
export function isTokenUsed(error: unknown): boolean {
  return violatedConstraint(error) === 'realtime_sessions_token_hash_key';
}

export type KeptTicket = {
  id: string;
  ticket: object;
  /** When the first of the sessions began that it continues. */
  beganAt?: Date | undefined;
};

/** Keeps what a resumable session was created with, so that another pod can continue it. */
export async function keepTicket(
  { organizationId, trx }: OrganizationScope,
  { id, ticket, beganAt }: KeptTicket,
): Promise<void> {
  await trx
    .updateTable('realtimeSessions')
    .set({ ticket: JSON.stringify(ticket), ...(beganAt && { beganAt }) })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Whether another pod can continue the session. */
export async function isResumableSession(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<boolean> {
  const session = await trx
    .selectFrom('realtimeSessions')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('ticket', 'is not', null)
    .executeTakeFirst();
  return session !== undefined;
}

/**
 * From now on, nobody continues the session. False if another session does so already: then this one
 * is over.
 */
export async function forbidTakeOver(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<boolean> {
  const session = await trx
    .updateTable('realtimeSessions')
    .set({ ticket: null })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returning('movedTo')
    .executeTakeFirst();
  return !session?.movedTo;
}

export type TakeOver = {
  id: string;
  /** UUIDs as the client sent them, in either case: they must be the session's. */
  agentId: string;
  conversationId: string;
  /** The session that continues it, which is recorded in the same transaction. */
  to: string;
};

export type TakenOver =
  /** What the session was created with, and when it began, or the first one that it continues. */
  | { outcome: 'taken'; ticket: unknown; beganAt: Date; elapsedSeconds: number }
  /** Another session continues it already. */
  | { outcome: 'moved'; to: string }
  /** It has ended, was never resumable, or does not exist. */
  | { outcome: 'over' };

/**
 * Takes a session over from its pod, once. The session ends, and nothing that the pod writes
 * afterwards has any effect. The caller adopts its calls, or ends them.
 */
export async function takeOverSession(
  scope: OrganizationScope,
  { id, agentId, conversationId, to }: TakeOver,
): Promise<TakenOver> {
  const { organizationId, trx } = scope;
  const session = await trx
    .selectFrom('realtimeSessions')
    .select(['ticket', 'endedAt', 'movedTo'])
    .select(sql<Date>`coalesce(began_at, started_at)`.as('beganAt'))
    .select(
      sql<number>`extract(epoch from now() - coalesce(began_at, started_at))::float8`.as(
        'elapsedSeconds',
      ),
    )
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .where('conversationId', '=', conversationId)
    .forUpdate()
    .executeTakeFirst();
  if (session?.movedTo) return { outcome: 'moved', to: session.movedTo };
  if (!session?.ticket) return { outcome: 'over' };
  const { ticket, endedAt, beganAt, elapsedSeconds } = session;
  const moved = await trx
    .updateTable('realtimeSessions')
    .set({
      movedAt: sql<Date>`now()`,
      movedTo: to,
      ticket: null,
      ...(endedAt === null && {
        endedAt: sql<Date>`now()`,
        endReason: 'moved',
        closeCode: unseenCloseCode,
      }),
    })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returning(endedColumns)
    .execute();
  if (endedAt === null) await announceEnds(scope, moved);
  return { outcome: 'taken', ticket, beganAt, elapsedSeconds };
}

/** Announces a session that was recorded and admitted. */
export function announceRealtimeSession(
  scope: OrganizationScope,
  { id, agentId, conversationId }: Pick<RealtimeSessionStart, 'id' | 'agentId' | 'conversationId'>,
): void {
  announce(scope, 'session.started', { id, agentId, conversationId });
}

/** The close code of a session whose gateway did not record its end. */
export const unseenCloseCode = 1006;

export const endedColumns = [
  'id',
  'organizationId',
  'agentId',
  'conversationId',
  'startedAt',
  'endedAt',
  'endReason',
  'closeCode',
] as const;

type EndedSession = Pick<Selectable<Schema['realtimeSessions']>, (typeof endedColumns)[number]>;

/** Announces the ends of sessions, of any organizations, to webhooks and live listeners. */
export async function announceEnds(
  scope: SystemScope,
  ended: readonly EndedSession[],
): Promise<void> {
  const events = ended.map(({ organizationId, startedAt, ...session }) => {
    const { endedAt, endReason, closeCode } = session;
    if (!endedAt || endReason === null || closeCode === null)
      throw new TypeError('The session has not ended.');
    const times = { startedAt: startedAt.toISOString(), endedAt: endedAt.toISOString() };
    return { organizationId, data: { ...session, ...times, endReason, closeCode } };
  });
  if (events.length > 0) await announceEvents(scope, 'session.ended', events);
}

export type RealtimeSessionEnd = {
  id: string;
  /** What performance.now() was then: the clocks of processes may differ from PostgreSQL's. */
  endedAt: number;
  /** The name of the close code, or another reason. */
  endReason: string;
  closeCode: number;
  bytesFromClient: number;
  bytesFromProvider: number;
};

/**
 * The first to record the end wins: the gateway that held the session, or the sweep that found it
 * dead. Returns whether another pod may continue it, which nobody may once its gateway has recorded
 * any end but a hand-over.
 */
export async function endRealtimeSession(
  scope: OrganizationScope,
  { id, endedAt: mark, ...rest }: RealtimeSessionEnd,
): Promise<boolean> {
  const { organizationId, trx } = scope;
  const { endReason } = rest;
  const age = sql`make_interval(secs => ${(performance.now() - mark) / 1000})`;
  const end = { ...rest, endedAt: sql<Date>`greatest(started_at, clock_timestamp() - ${age})` };
  const ended = await trx
    .updateTable('realtimeSessions')
    .set(endReason === handedOverEnd ? end : { ...end, ticket: null })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning([...endedColumns, 'ticket'])
    .executeTakeFirst();
  if (!ended) return keepOrDropTicket(scope, { id, endReason });
  const { ticket, ...session } = ended;
  await announceEnds(scope, [session]);
  return ticket !== null;
}

/**
 * For a session that has ended before: drops its ticket unless this end is a hand-over, too. Returns
 * whether another pod may still continue it.
 */
async function keepOrDropTicket(
  { organizationId, trx }: OrganizationScope,
  { id, endReason }: Pick<RealtimeSessionEnd, 'id' | 'endReason'>,
): Promise<boolean> {
  const kept = await trx
    .updateTable('realtimeSessions')
    .set(endReason === handedOverEnd ? { ticket: sql`ticket` } : { ticket: null })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('ticket', 'is not', null)
    .returning('ticket')
    .executeTakeFirst();
  return Boolean(kept?.ticket);
}
