import { sql, type Kysely } from 'kysely';

/**
 * Which session continues one that was taken over, and when the first of them began: the maximum
 * duration counts from there. Null means that the session itself was the first. The index finds the
 * sessions that wait for another pod to continue them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table realtime_sessions
    add column moved_to uuid,
    add column began_at timestamptz`.execute(db);
  await sql`create index realtime_sessions_unclaimed on realtime_sessions (ended_at)
    where ticket is not null`.execute(db);
}
