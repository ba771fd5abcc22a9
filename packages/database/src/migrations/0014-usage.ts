import { sql, type Kysely } from 'kysely';

/** What an organization used over time is read from indexes alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db);
}

const statements = `
  create index realtime_sessions_time on realtime_sessions (organization_id, started_at)
    include (agent_id, ended_at, end_reason);
  create index usage_records_time on usage_records (organization_id, created_at)
    include (conversation_id, input_text_tokens, input_audio_tokens, output_text_tokens, output_audio_tokens);
  create index tool_calls_time on tool_calls (organization_id, created_at)
    include (conversation_id, status, approval, started_at);
  create index runs_failed on runs (organization_id, created_at) include (agent_id)
    where state = 'failed';`;
