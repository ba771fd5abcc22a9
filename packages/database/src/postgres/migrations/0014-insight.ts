import { sql, type Kysely } from 'kysely';

/**
 * Usage over time is read from indexes alone. Conversations are found by the words in them: the
 * organization is one of the words, so that a word is looked up in one organization only. Of very
 * long messages, only the beginning is searched: more would not fit into a tsvector. Row-level
 * security prevents the use of an index for the search itself, so a function of the owner searches,
 * only in the transaction's organization.
 */
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
  create index runs_failed on runs (organization_id, created_at) include (agent_id, conversation_id)
    where state = 'failed';
  create index realtime_sessions_failed on realtime_sessions (organization_id, conversation_id)
    where end_reason in ('InternalError', 'ProviderUnavailable', 'ProviderConnectTimeout', 'lost');
  create index messages_words on messages using gin
    ((array_to_tsvector(array[organization_id::text]) || to_tsvector('simple', left(content, 50000))))
    where role in ('user', 'assistant');
  create function conversations_with(words tsquery) returns setof uuid
    language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
      select conversation_id from public.messages
      where organization_id = nullif(current_setting('parley.organization_id', true), '')::uuid
        and role in ('user', 'assistant') and numnode(words) > 0
        and (array_to_tsvector(array[organization_id::text]) || to_tsvector('simple', left(content, 50000)))
          @@ (quote_literal(current_setting('parley.organization_id', true))::tsquery && words)
    $$;
  revoke execute on function conversations_with from public;
  grant execute on function conversations_with to parley_app;`;
