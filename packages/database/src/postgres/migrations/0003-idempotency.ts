import { sql, type Kysely } from 'kysely';

/**
 * One row per Idempotency-Key: who works on it and until when the claim is valid, then the sealed
 * response. The response is written by the transaction that does the work, under the claim that it
 * started with.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
  create table idempotency_keys (
    organization_id uuid not null references organizations on delete cascade,
    key text not null,
    fingerprint bytea not null,
    claim uuid not null,
    claimed_until timestamptz not null,
    answer bytea,
    created_at timestamptz not null default now(),
    primary key (organization_id, key)
  );
  create index idempotency_keys_age on idempotency_keys (created_at);

  alter table idempotency_keys enable row level security;
  create policy idempotency_keys_of_organization on idempotency_keys to parley_app
    using (organization_id = (select nullif(current_setting('parley.organization_id', true), '')::uuid));
  create policy idempotency_keys_of_all on idempotency_keys to parley_system using (true);
  grant select, insert, update, delete on idempotency_keys to parley_app, parley_system;`,
    )
    .execute(db);
}
