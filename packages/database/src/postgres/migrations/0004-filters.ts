import { sql, type Kysely } from 'kysely';

/** Indexes for the filters of tasks and of the audit log, each in the order of its list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
  create index tasks_status on tasks (organization_id, status, created_at, id);
  create index tasks_agent on tasks (agent_id, created_at, id) include (organization_id);
  create index tasks_due on tasks (organization_id, due_at);
  create index audit_log_action on audit_log (organization_id, action, sequence);`,
    )
    .execute(db);
}
