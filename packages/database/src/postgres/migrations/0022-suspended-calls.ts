import { sql, type Kysely } from 'kysely';

/**
 * How far a call has got whose sub-agent waits for approval, so that another pod can go on with it.
 * Null while somebody works on it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tool_calls add column suspended jsonb`.execute(db);
}
