import { sql, type Kysely } from 'kysely';

/**
 * For the foreign key: without it, PostgreSQL reads all tool calls for each session that is deleted,
 * and the retention of conversations runs into its timeout.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index tool_calls_of_session on tool_calls (session_id)
    where session_id is not null`.execute(db);
}
