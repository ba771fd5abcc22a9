import { sql, type Kysely } from 'kysely';

/** Counts the changes of an agent, so that a change can be made conditional on a known version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agents add column version integer not null default 1`.execute(db);
}
