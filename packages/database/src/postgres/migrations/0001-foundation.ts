import { sql, type Kysely } from 'kysely';

/**
 * The tables of the record. Two mechanisms isolate organizations: every query names its
 * organization, and row-level security shows the role `parley_app`, which all work for an
 * organization runs as, only the rows of `parley.organization_id`. Work across organizations
 * (looking up a key, sweeps, administration) runs as `parley_system`. Neither role can change the
 * audit log.
 */
const organizationTables = [
  'users',
  'api_keys',
  'connections',
  'agents',
  'agent_secrets',
  'conversations',
  'messages',
  'tool_calls',
  'realtime_sessions',
  'usage_records',
  'tasks',
  'temporary_files',
  'audit_log',
  'audit_heads',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [tables, role('parley_app'), role('parley_system'), grants])
    await sql.raw(statement).execute(db);
  await sql.raw(isolate('organizations', 'id')).execute(db);
  for (const table of organizationTables)
    await sql.raw(isolate(table, 'organization_id')).execute(db);
}

function isolate(table: string, column: string): string {
  // The sub-select is evaluated once per query, not once per row.
  return `
    alter table ${table} enable row level security;
    create policy ${table}_of_organization on ${table} to parley_app
      using (${column} = (select nullif(current_setting('parley.organization_id', true), '')::uuid));
    create policy ${table}_of_all on ${table} to parley_system using (true);`;
}

const tables = `
  create table organizations (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    created_at timestamptz not null default now()
  );

  create table users (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    email text not null,
    password_hash text,
    created_at timestamptz not null default now()
  );
  create unique index users_email on users (lower(email));
  create index users_organization on users (organization_id);

  create table api_keys (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    name text not null,
    key_hash bytea not null unique,
    masked text not null,
    scopes text[] not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz
  );
  create index api_keys_organization on api_keys (organization_id, created_at, id);

  create table connections (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    name text not null,
    kind text not null,
    base_url text,
    secret bytea,
    models text[] not null,
    realtime boolean not null,
    enabled boolean not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  create index connections_page on connections (organization_id, created_at, id);

  create table agents (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    name text not null,
    description text not null,
    system_message text not null,
    connection_id uuid references connections,
    model text,
    text_model text,
    voice text not null,
    icon text,
    icon_color text,
    image_url text,
    realtime_enabled boolean not null,
    tools jsonb not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz
  );
  create index agents_page on agents (organization_id, created_at, id) where deleted_at is null;
  create index agents_connection on agents (connection_id) where deleted_at is null;
  create index agents_tools on agents using gin (tools jsonb_path_ops) where deleted_at is null;

  create table agent_secrets (
    agent_id uuid not null references agents on delete cascade,
    organization_id uuid not null references organizations on delete cascade,
    name text not null,
    secret bytea not null,
    primary key (agent_id, name)
  );

  create table conversations (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    agent_id uuid not null references agents,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  create index conversations_page on conversations (organization_id, created_at, id);
  create index conversations_age on conversations (organization_id, updated_at);
  create index conversations_agent on conversations (agent_id, created_at, id) include (organization_id);

  create table realtime_sessions (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    agent_id uuid not null references agents,
    conversation_id uuid not null references conversations on delete cascade,
    token_hash bytea not null unique,
    started_at timestamptz not null default now(),
    ended_at timestamptz,
    end_reason text,
    close_code integer,
    bytes_from_client bigint,
    bytes_from_provider bigint
  );
  create index realtime_sessions_conversation on realtime_sessions (conversation_id, started_at);
  create index realtime_sessions_open on realtime_sessions (started_at) where ended_at is null;

  create table messages (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    conversation_id uuid not null references conversations on delete cascade,
    session_id uuid references realtime_sessions on delete set null,
    position bigint not null,
    role text not null check (role in ('user', 'assistant', 'tool')),
    content text not null,
    status text not null,
    item_id text,
    content_index integer not null default 0,
    interrupted boolean not null default false,
    audio_end_ms integer,
    usage jsonb,
    created_at timestamptz not null default now()
  );
  create index messages_page on messages (conversation_id, position, id) include (organization_id);
  create unique index messages_item on messages (session_id, item_id, content_index);

  create table tool_calls (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    conversation_id uuid not null references conversations on delete cascade,
    session_id uuid references realtime_sessions on delete set null,
    message_id uuid references messages on delete cascade,
    call_id text not null,
    name text not null,
    arguments jsonb not null,
    status smallint not null check (status between 0 and 3),
    approval text check (approval in ('waiting', 'approved', 'rejected', 'expired', 'cancelled')),
    decided_by jsonb,
    decided_at timestamptz,
    result jsonb,
    execution_ms integer,
    created_at timestamptz not null default now(),
    finished_at timestamptz
  );
  create index tool_calls_conversation on tool_calls (conversation_id, created_at);
  create index tool_calls_message on tool_calls (message_id) where message_id is not null;
  create unique index tool_calls_session on tool_calls (session_id, call_id);

  create table usage_records (
    organization_id uuid not null references organizations on delete cascade,
    conversation_id uuid not null references conversations on delete cascade,
    session_id uuid not null references realtime_sessions on delete cascade,
    source text not null check (source in ('response', 'transcription')),
    source_id text not null,
    model text not null,
    input_text_tokens bigint not null default 0,
    input_audio_tokens bigint not null default 0,
    input_cached_tokens bigint not null default 0,
    output_text_tokens bigint not null default 0,
    output_audio_tokens bigint not null default 0,
    seconds double precision not null default 0,
    created_at timestamptz not null default now(),
    primary key (session_id, source, source_id)
  );
  create index usage_records_conversation on usage_records (conversation_id);

  create table tasks (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    title text not null,
    description text not null,
    status text not null check (status in ('open', 'inProgress', 'done', 'cancelled')),
    due_at timestamptz,
    agent_id uuid references agents,
    conversation_id uuid references conversations on delete set null,
    external_id text,
    metadata jsonb not null,
    version integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, external_id)
  );
  create index tasks_page on tasks (organization_id, created_at, id);
  create index tasks_conversation on tasks (conversation_id) where conversation_id is not null;

  create table temporary_files (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    name text not null,
    media_type text not null,
    size_bytes bigint not null,
    extracted_text text,
    storage text not null,
    content bytea,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index temporary_files_expiry on temporary_files (expires_at);

  create table audit_log (
    organization_id uuid not null references organizations on delete cascade,
    sequence bigint not null,
    occurred_at timestamptz not null,
    actor jsonb not null,
    action text not null,
    resource_type text not null,
    resource_id uuid,
    before jsonb,
    after jsonb,
    previous_hash bytea not null,
    hash bytea not null,
    primary key (organization_id, sequence)
  );
  create index audit_log_time on audit_log (organization_id, occurred_at, sequence);

  create table audit_heads (
    organization_id uuid primary key references organizations on delete cascade,
    sequence bigint not null,
    hash bytea not null
  );`;

// A role belongs to the server, not to the database: several databases may create it at once.
const role = (name: string) => `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${name}') then
      begin
        create role ${name} nologin;
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    if not pg_has_role(current_user, '${name}', 'member') then
      execute format('grant ${name} to %I', current_user);
    end if;
  end $$;`;

const grants = `
  grant usage on schema public to parley_app, parley_system;
  grant select, insert, update, delete on organizations, ${organizationTables.join(', ')}
    to parley_app, parley_system;
  revoke update, delete on audit_log from parley_app, parley_system;`;
