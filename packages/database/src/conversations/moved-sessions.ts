import type { OrganizationScope } from '../postgres/database.js';

/** Which of these sessions were taken over; none is until the transaction ends. */
export async function movedSessions(
  { organizationId, trx }: OrganizationScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx
    .selectFrom('realtimeSessions')
    .select(['id', 'movedAt'])
    .where('organizationId', '=', organizationId)
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .forShare()
    .execute();
  return new Set(rows.flatMap(({ id, movedAt }) => (movedAt === null ? [] : [id])));
}
