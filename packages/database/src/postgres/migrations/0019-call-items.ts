import { sql, type Kysely } from 'kysely';

/**
 * The id of a call's item at the provider, which the item keeps if the conversation continues on
 * another connection. Null if an earlier version recorded the call, or if a question made it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tool_calls add column item_id text`.execute(db);
}
