import { sql, type Kysely } from 'kysely';

/**
 * Passing conversations: what a question without a conversation needs while it is answered. They
 * are in no list, and their words are deleted afterwards; what they cost is kept.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db);
}

const statements = `
  alter table conversations add column keeping text not null default 'kept'
    check (keeping in ('kept', 'passing', 'forgotten'));
  drop index conversations_page;
  drop index conversations_agent;
  create index conversations_page on conversations (organization_id, created_at, id)
    where keeping = 'kept';
  create index conversations_agent on conversations (agent_id, created_at, id)
    include (organization_id) where keeping = 'kept';
  create index conversations_passing on conversations (updated_at) where keeping = 'passing';`;
