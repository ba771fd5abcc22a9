import { sql, type Kysely } from 'kysely';
import { isolateOrganizations } from './isolation.js';

/** Questions in text: the progress of each, who is working on it, and what it cost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db);
  await sql.raw(isolateOrganizations(['runs'])).execute(db);
}

const statements = `
  create table runs (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    agent_id uuid not null references agents,
    conversation_id uuid not null references conversations on delete cascade,
    state text not null check (state in ('open', 'waiting', 'answered', 'failed')),
    run json,
    failure text,
    waiting_for uuid[] not null default '{}',
    watcher text,
    owner uuid,
    lease_until timestamptz,
    takeovers integer not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  create index runs_conversation on runs (conversation_id);
  create index runs_unfinished on runs (updated_at) where state in ('open', 'waiting');
  create index tool_calls_run on tool_calls (run_id) where run_id is not null;

  alter table usage_records
    drop constraint usage_records_pkey,
    alter column session_id drop not null,
    add column run_id uuid references runs on delete cascade,
    add constraint usage_records_place check (num_nonnulls(session_id, run_id) = 1);
  create unique index usage_records_session on usage_records (session_id, source, source_id)
    where session_id is not null;
  create unique index usage_records_run on usage_records (run_id, source, source_id)
    where run_id is not null;`;
