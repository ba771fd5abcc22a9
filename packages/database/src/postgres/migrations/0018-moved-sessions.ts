import { sql, type Kysely } from 'kysely';

/**
 * What a resumable session was created with, until it ends, so that another pod can continue it;
 * and when that happened. From then on, nothing that its former pod writes has any effect.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table realtime_sessions
    add column ticket jsonb,
    add column moved_at timestamptz`.execute(db);
}
