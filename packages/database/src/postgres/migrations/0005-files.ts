import { sql, type Kysely } from 'kysely';

/**
 * The bytes of a temporary file are separate rows, so that they are written and read chunk by
 * chunk. A file's row is inserted before its first bytes and deleted after its last: `uploaded_at`
 * is the time at which it was complete, and a sweep processes expired rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db);
}

const statements = `
  alter table temporary_files
    drop column content,
    add column characters integer not null default 0,
    add column text_truncated boolean not null default false,
    add column uploaded_at timestamptz,
    add constraint temporary_files_storage check (storage in ('postgres', 's3'));

  create table temporary_file_chunks (
    file_id uuid not null references temporary_files on delete cascade,
    organization_id uuid not null references organizations on delete cascade,
    position integer not null,
    bytes bytea not null,
    primary key (file_id, position)
  );
  alter table temporary_file_chunks alter column bytes set storage external;

  grant select, insert, update, delete on temporary_file_chunks to parley_app, parley_system;
  alter table temporary_file_chunks enable row level security;
  create policy temporary_file_chunks_of_organization on temporary_file_chunks to parley_app
    using (organization_id = (select nullif(current_setting('parley.organization_id', true), '')::uuid));
  create policy temporary_file_chunks_of_all on temporary_file_chunks to parley_system using (true);`;
