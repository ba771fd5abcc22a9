import { sql } from 'kysely';
import type { OrganizationScope } from '../postgres/database.js';
import { forgetAnswers } from '../questions/idempotency.js';
import { forgetWrittenTasks } from '../tasks.js';

/**
 * Deletes conversations, which the caller has locked, and everything that was said in them:
 * messages, tool calls, questions, usage, sessions, the names of files, text that agents wrote into
 * tasks, and responses that are kept for repeated requests. Tasks are kept without that text.
 */
export async function deleteConversations(
  scope: OrganizationScope,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  await forgetWrittenTasks(scope, ids);
  await forgetAnswers(scope, ids);
  const deleted = await scope.trx
    .deleteFrom('conversations')
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .executeTakeFirstOrThrow();
  return Number(deleted.numDeletedRows);
}
