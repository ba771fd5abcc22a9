import { sql, type Kysely } from 'kysely';

/** The pod to tell when an approval is decided. Null: there is none, or a former version opened the approval. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tool_calls add column owner text`.execute(db);
}
