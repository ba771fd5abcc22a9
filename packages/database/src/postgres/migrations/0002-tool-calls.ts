import { sql, type Kysely } from 'kysely';

/**
 * Columns for tool calls. Arguments and results become json, which keeps them as they were written,
 * including the order of keys and escaped characters that jsonb refuses. A call id is unique within
 * its session's own model; sub-agents use other models.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db);
}

const statements = `
  alter table tool_calls
    add column agent_id uuid references agents,
    add column parent_id uuid references tool_calls on delete cascade,
    add column run_id uuid,
    add column deadline timestamptz,
    add column started_at timestamptz,
    alter column arguments type json using arguments::json,
    alter column result type json using result::json;
  update tool_calls set agent_id = conversations.agent_id
    from conversations where conversations.id = tool_calls.conversation_id;
  alter table tool_calls alter column agent_id set not null;

  drop index tool_calls_session;
  create unique index tool_calls_session on tool_calls (session_id, call_id) where parent_id is null;
  create index tool_calls_parent on tool_calls (parent_id) where parent_id is not null;
  create index tool_calls_unfinished on tool_calls (session_id) where finished_at is null;
  create index tool_calls_approvals on tool_calls (organization_id, created_at, id)
    include (approval, agent_id, conversation_id) where approval is not null;
  create index tool_calls_waiting on tool_calls (organization_id, created_at, id)
    include (agent_id, conversation_id) where approval = 'waiting';
  create index tool_calls_approval on tool_calls (organization_id, call_id) where approval is not null;
  create index tool_calls_deadline on tool_calls (deadline) where approval = 'waiting';`;
