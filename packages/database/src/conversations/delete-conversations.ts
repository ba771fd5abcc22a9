import { sql } from 'kysely';
import type { OrganizationScope } from '../postgres/database.js';
import { forgetAnswers } from '../questions/idempotency.js';
import { forgetInTasks } from '../tasks.js';

/**
 * Deletes conversations, which the caller has locked, and everything that was said in them:
 * messages, tool calls, questions, usage, sessions, the names of files, text that agents wrote into
 * tasks, and responses that are kept for repeated requests. Tasks are kept, without that text and
 * without their conversation.
 */
export async function deleteConversations(
  scope: OrganizationScope,
  ids: readonly string[],
): Promise<number> {
  const [id] = ids;
  if (id === undefined) return 0;
  await forgetInTasks(scope, ids);
  await forgetAnswers(scope, ids);
  if (ids.length === 1) await deleteRows(scope, id);
  const deleted = await scope.trx
    .deleteFrom('conversations')
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .executeTakeFirstOrThrow();
  return Number(deleted.numDeletedRows);
}

/** In an order in which no reference dangles. */
const tables = ['tool_calls', 'messages', 'usage_records', 'runs', 'realtime_sessions'] as const;
const batchRows = 1000;

/**
 * What the cascade would delete, in short statements of the same transaction: PostgreSQL cancels
 * long ones, so a huge conversation could never be deleted.
 */
async function deleteRows({ organizationId, trx }: OrganizationScope, id: string): Promise<void> {
  for (const table of tables)
    for (let deleted = batchRows; deleted === batchRows;) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)}
          where organization_id = ${organizationId} and conversation_id = ${id} limit ${batchRows}
        ))`.execute(trx);
      deleted = Number(numAffectedRows);
    }
}
