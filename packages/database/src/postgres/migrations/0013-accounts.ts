import { sql, type Kysely } from 'kysely';
import { isolateOrganizations } from './isolation.js';

/**
 * An email address is one account, which may be a member of several organizations, with a role in
 * each. It exists as long as it is a member of one. An organization sees the accounts of its
 * members, and nobody's password. Users of earlier versions could not do anything yet: they may
 * read from now on. Of earlier versions, only the command line knows the table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
  await sql.raw(isolateOrganizations(['members', 'sign_in_links'])).execute(db);
  await sql.raw(access).execute(db);
  await sql.raw(accountsGoWithMembers).execute(db);
}

const tables = `
  create table members (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    user_id uuid not null references users,
    role text not null check (role in ('viewer', 'approver', 'editor', 'owner')),
    created_at timestamptz not null default now(),
    constraint members_user unique (user_id, organization_id),
    constraint members_of_organization_key unique (organization_id, id)
  );
  create index members_page on members (organization_id, created_at, id);
  insert into members (organization_id, user_id, role, created_at)
    select organization_id, id, 'viewer', created_at from users;

  drop policy users_of_organization on users;
  alter table users
    drop column organization_id,
    add column name text not null default '',
    add column session_epoch integer not null default 0;

  create table sign_in_links (
    token_hash bytea primary key,
    organization_id uuid not null references organizations on delete cascade,
    member_id uuid not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    foreign key (organization_id, member_id) references members (organization_id, id) on delete cascade
  );
  create index sign_in_links_member on sign_in_links (organization_id, member_id);

  alter table realtime_sessions add column member_id uuid;
  alter table runs add column member_id uuid;
  create index runs_member on runs (member_id) where member_id is not null and state in ('open', 'waiting');`;

const access = `
  create policy users_of_organization on users to parley_app
    using (exists (select from members where members.user_id = users.id));
  revoke all on users from parley_app;
  grant select (id, email, name, created_at) on users to parley_app;`;

/**
 * Locks the account first: if it is being added elsewhere, this waits, or the other finds it gone.
 */
const accountsGoWithMembers = `
  create function delete_account_without_members() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
  begin
    perform from users where id = old.user_id for update;
    delete from users where id = old.user_id
      and not exists (select from members where user_id = old.user_id);
    return null;
  end $$;
  create trigger members_deleted after delete on members
    for each row execute function delete_account_without_members();`;
