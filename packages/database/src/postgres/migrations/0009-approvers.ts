import { sql, type Kysely } from 'kysely';
import { isolateOrganizations } from './isolation.js';

/**
 * Who approves a call; what an organization records in its audit log; and where the words of a
 * conversation were copied, so that they can be found when it is deleted. A task that an agent
 * changed earlier counts as written in its conversation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db);
  await sql.raw(isolateOrganizations(['conversation_files'])).execute(db);
}

const statements = `
  alter table tool_calls add column approvers text[] not null default '{client,api}';
  alter table messages add column author text check (author in ('client'));
  alter table organizations add column audit_arguments boolean not null default false;

  alter table tasks add column written_in uuid[] not null default '{}';
  update tasks set written_in = array[conversation_id]
    where conversation_id is not null and exists (
      select from audit_log
      where audit_log.organization_id = tasks.organization_id and resource_type = 'task'
        and resource_id = tasks.id and actor->>'kind' = 'agent');
  create index tasks_written_in on tasks using gin (written_in);

  alter table idempotency_keys
    add column conversation_id uuid,
    add column forgotten boolean not null default false;
  create index idempotency_keys_conversation on idempotency_keys (conversation_id)
    where conversation_id is not null;

  create table conversation_files (
    conversation_id uuid not null references conversations on delete cascade,
    organization_id uuid not null references organizations on delete cascade,
    file_id uuid not null,
    name text not null,
    media_type text not null,
    size_bytes bigint not null,
    given_at timestamptz not null default now(),
    primary key (conversation_id, file_id)
  );`;
