import { sql } from 'kysely';
import { keyIsOver } from './api-keys.js';
import type { OrganizationScope, SystemScope } from './database.js';
import { endRun } from './run-endings.js';
import { cancelRunCalls } from './tool-calls.js';

/**
 * What an API key has opened ends with the key: when it is revoked, when it expires, and when its organization is deleted. The record alone tells,
 * so that everybody who looks every few seconds learns of it, whoever revoked the key and whatever else is down.
 */
const usable = sql<boolean>`not ${keyIsOver('apiKeys')}`;

/** Whether what this key opens may be opened now. */
export async function isKeyUsable(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<boolean> {
  const key = await trx
    .selectFrom('apiKeys')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where(usable)
    .executeTakeFirst();
  return key !== undefined;
}

/** Which of these keys have been revoked, have expired, or are gone. */
export async function unusableKeys(
  { trx }: SystemScope,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('apiKeys')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(usable)
    .execute();
  const unusable = new Set(ids);
  for (const { id } of rows) unusable.delete(id);
  return unusable;
}

export type RevokedRun = { id: string; organizationId: string };

/** Questions on their way that were asked with a key which is not usable any more. */
export async function runsOfUnusableKeys(
  { trx }: SystemScope,
  limit: number,
): Promise<RevokedRun[]> {
  return trx
    .selectFrom('runs')
    .innerJoin('apiKeys', 'apiKeys.id', 'runs.keyId')
    .select(['runs.id', 'runs.organizationId'])
    .where('runs.state', 'in', ['open', 'waiting'])
    .where(keyIsOver('apiKeys'))
    .orderBy('runs.updatedAt')
    .limit(limit)
    .execute();
}

const revoked = 'The API key that asked this question was revoked or has expired.';

/** Ends a question without an answer. Whoever holds it loses it, its approvals are cancelled, and nothing of it runs afterwards. False: it was over. */
export async function cancelRun(
  scope: OrganizationScope,
  id: string,
  failure = revoked,
): Promise<boolean> {
  if (!(await endRun(scope, id, failure))) return false;
  await cancelRunCalls(scope, id);
  return true;
}
