import { sql, type Kysely } from 'kysely';

/**
 * How an agent's realtime sessions detect the end of the user's speech, and how the agent answers
 * in them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statement).execute(db);
}

const statement = `
  alter table agents
    add column turn_detection jsonb not null default '{"type": "semantic_vad"}',
    add column output_modalities text[] not null default '{audio}'`;
