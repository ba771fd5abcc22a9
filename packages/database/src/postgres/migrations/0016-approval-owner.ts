import { sql, type Kysely } from 'kysely';

/**
 * The pod to notify when an approval is decided. Null if there is none, or if an earlier version
 * opened the approval.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tool_calls add column owner text`.execute(db);
}
