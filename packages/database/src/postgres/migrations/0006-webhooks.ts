import { sql, type Kysely } from 'kysely';
import { isolateOrganizations } from './isolation.js';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
  await sql.raw(isolateOrganizations(['webhooks', 'webhook_deliveries'])).execute(db);
}

const tables = `
  create table webhooks (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    url text not null,
    events text[] not null,
    secret bytea not null,
    enabled boolean not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  create index webhooks_page on webhooks (organization_id, created_at, id);

  create table webhook_deliveries (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    webhook_id uuid not null references webhooks on delete cascade,
    event text not null,
    body text not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz default now(),
    delivered_at timestamptz,
    last_status integer,
    last_error text,
    created_at timestamptz not null default now()
  );
  create index webhook_deliveries_page on webhook_deliveries (webhook_id, created_at, id)
    include (organization_id);
  create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at)
    where next_attempt_at is not null;
  create index webhook_deliveries_age on webhook_deliveries (created_at);`;
