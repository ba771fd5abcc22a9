import { sql, type Kysely } from 'kysely';
import { isolateOrganizations } from './isolation.js';

/**
 * Quotas of organizations that differ from the deployment's defaults, and today's usage. The tokens
 * of a day have their own row: they stay counted when a conversation is deleted with its usage.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
  await sql.raw(isolateOrganizations(['organization_quotas', 'usage_days'])).execute(db);
  await sql.raw(rest).execute(db);
}

const tables = `
  create table organization_quotas (
    organization_id uuid not null references organizations on delete cascade,
    quota text not null,
    value bigint not null check (value >= 0),
    primary key (organization_id, quota)
  );
  create table usage_days (
    organization_id uuid not null references organizations on delete cascade,
    day date not null,
    tokens bigint not null,
    primary key (organization_id, day)
  );`;

/** Only the administrator can set quotas. */
const rest = `
  revoke insert, update, delete on organization_quotas from parley_app;

  insert into usage_days (organization_id, day, tokens)
  select organization_id, (now() at time zone 'utc')::date,
         sum(input_text_tokens + input_audio_tokens + output_text_tokens + output_audio_tokens)
  from usage_records
  where created_at >= (now() at time zone 'utc')::date at time zone 'utc'
  group by organization_id;

  create index runs_open on runs (organization_id) where state = 'open';
  create index temporary_files_kept on temporary_files (organization_id) include (size_bytes)
    where uploaded_at is not null;`;
