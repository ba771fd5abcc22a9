import { sql, type Kysely } from 'kysely';

/**
 * The connections that an agent's realtime sessions try when its own does not work, in order. They
 * are held while an agent is saved, and a connection in use is not deleted, so all of them exist.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agents
    add column fallback_connection_ids uuid[] not null default '{}'`.execute(db);
}
