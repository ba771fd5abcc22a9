import { sql } from 'kysely';
import { cancelSessionCalls } from '../calls/cancel-calls.js';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { hasOpenRun } from '../questions/runs.js';
import { deleteConversations } from './delete-conversations.js';
import { announceEnds, endedColumns, unseenCloseCode } from './realtime-sessions.js';

/**
 * The worker's sweeps. Each call takes one batch and returns how many rows it took: fewer than the
 * limit means that nothing was left. Locked rows are skipped, so that any number of workers may
 * sweep at once, and nobody waits for them.
 */
export async function organizationsWithStaleConversations(
  { trx }: SystemScope,
  days: number,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('organizations')
    .select('id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('conversations')
          .select('conversations.id')
          .whereRef('conversations.organizationId', '=', 'organizations.id')
          .where('conversations.updatedAt', '<', daysAgo(days)),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Deletes conversations that were not updated for this long, with everything that belongs to them,
 * unless a session or a question of theirs is in progress or waits.
 */
export async function deleteStaleConversations(
  scope: OrganizationScope,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const stale = await scope.trx
    .selectFrom('conversations')
    .select('id')
    .where('organizationId', '=', scope.organizationId)
    .where('updatedAt', '<', daysAgo(days))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('realtimeSessions')
            .select('realtimeSessions.id')
            .whereRef('realtimeSessions.conversationId', '=', 'conversations.id')
            .where('realtimeSessions.endedAt', 'is', null),
        ),
      ),
    )
    .where(sql<boolean>`not ${hasOpenRun}`)
    .orderBy('updatedAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return deleteConversations(
    scope,
    stale.map(({ id }) => id),
  );
}

export type LostSessions = { maxSeconds: number; marginSeconds: number; limit: number };

/**
 * Nobody recorded the end of a session that exceeded its maximum duration: it was over by then at
 * the latest.
 */
export async function closeLostSessions(
  { trx }: SystemScope,
  { maxSeconds, marginSeconds, limit }: LostSessions,
): Promise<number> {
  const lost = await trx
    .with('lost', (db) =>
      db
        .selectFrom('realtimeSessions')
        .select('id')
        .where('endedAt', 'is', null)
        .where('startedAt', '<', sql<Date>`now() - ${seconds(maxSeconds + marginSeconds)}`)
        .orderBy('startedAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('realtimeSessions')
    .set({
      endedAt: sql<Date>`started_at + ${seconds(maxSeconds)}`,
      endReason: 'lost',
      closeCode: unseenCloseCode,
      ticket: null,
    })
    .where('id', 'in', (db) => db.selectFrom('lost').select('lost.id'))
    .returning(endedColumns)
    .execute();
  await announceEnds({ trx }, lost);
  return lost.length;
}

/**
 * The end of a session whose pod fell silent, unless it was recorded after all. Another pod may
 * still continue a resumable one, so its calls stay open.
 */
export async function endLostSession(scope: OrganizationScope, id: string): Promise<void> {
  const { organizationId, trx } = scope;
  const ended = await trx
    .updateTable('realtimeSessions')
    .set({ endedAt: sql<Date>`now()`, endReason: 'lost', closeCode: unseenCloseCode })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning([...endedColumns, 'ticket'])
    .executeTakeFirst();
  if (!ended) return;
  const { ticket, ...session } = ended;
  await announceEnds(scope, [session]);
  if (ticket === null) await cancelSessionCalls(scope, id);
}

/**
 * Sessions that ended some time ago, and that nobody has come to continue: from now on, nobody can.
 * Their calls are among those of `sessionsWithOpenCalls`.
 */
export async function endUnclaimedSessions(
  { trx }: SystemScope,
  { graceSeconds, limit }: { graceSeconds: number; limit: number },
): Promise<number> {
  const ended = await trx
    .with('unclaimed', (db) =>
      db
        .selectFrom('realtimeSessions')
        .select('id')
        .where('ticket', 'is not', null)
        .where('endedAt', '<', sql<Date>`now() - ${seconds(graceSeconds)}`)
        .orderBy('endedAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('realtimeSessions')
    .set({ ticket: null })
    .where('id', 'in', (db) => db.selectFrom('unclaimed').select('unclaimed.id'))
    .returning('id')
    .execute();
  return ended.length;
}

/**
 * Sessions that ended some time ago and still have calls without an outcome, unless another pod may
 * continue them.
 */
export async function sessionsWithOpenCalls(
  { trx }: SystemScope,
  { graceSeconds, limit }: { graceSeconds: number; limit: number },
): Promise<{ id: string; organizationId: string }[]> {
  return trx
    .selectFrom('toolCalls')
    .innerJoin('realtimeSessions', 'realtimeSessions.id', 'toolCalls.sessionId')
    .select(['realtimeSessions.id', 'realtimeSessions.organizationId'])
    .distinct()
    .where('toolCalls.finishedAt', 'is', null)
    .where('realtimeSessions.ticket', 'is', null)
    .where('realtimeSessions.endedAt', '<', sql<Date>`now() - ${seconds(graceSeconds)}`)
    .limit(limit)
    .execute();
}

function daysAgo(days: number) {
  return sql<Date>`now() - make_interval(days => ${days})`;
}

function seconds(count: number) {
  return sql`make_interval(secs => ${count})`;
}
