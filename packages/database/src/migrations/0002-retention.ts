import { sql, type Kysely } from 'kysely';

/** Finds what a sweep deletes, and what hangs on it, without reading whole tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(indexes).execute(db);
}

const indexes = `
  create index conversations_age on conversations (organization_id, updated_at);
  create index tool_calls_message on tool_calls (message_id) where message_id is not null;
  create index tasks_conversation on tasks (conversation_id) where conversation_id is not null;`;
