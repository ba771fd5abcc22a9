import { cancelRunCalls } from '../calls/cancel-calls.js';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { openerIsOver } from './openers.js';
import { endRun } from '../questions/run-endings.js';

export type RevokedRun = { id: string; organizationId: string };

/** Questions in progress whose key is no longer usable, or whose member was removed. */
export async function runsOfUnusableOpeners(
  { trx }: SystemScope,
  limit: number,
): Promise<RevokedRun[]> {
  return trx
    .selectFrom('runs')
    .select(['runs.id', 'runs.organizationId'])
    .where('runs.state', 'in', ['open', 'waiting'])
    .where(openerIsOver('runs'))
    .orderBy('runs.updatedAt')
    .limit(limit)
    .execute();
}

const revoked =
  'The API key that asked this question was revoked or has expired, or the member who did was removed.';

/**
 * Ends a question without an answer. Its holder loses it, its approvals are cancelled, and nothing
 * of it runs afterwards. False if it was already over.
 */
export async function cancelRun(
  scope: OrganizationScope,
  id: string,
  failure = revoked,
): Promise<boolean> {
  if (!(await endRun(scope, id, failure))) return false;
  await cancelRunCalls(scope, id);
  return true;
}
