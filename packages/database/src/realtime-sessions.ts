import type { OrganizationScope } from './database.js';

export type RealtimeSessionStart = {
  id: string;
  agentId: string;
  conversationId: string;
  tokenHash: Buffer;
};

/** Records a session under the hash of its token, for good. False when the hash is there: the token was used before. */
export async function startRealtimeSession(
  { organizationId, trx }: OrganizationScope,
  session: RealtimeSessionStart,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('realtimeSessions')
    .values({ ...session, organizationId })
    .onConflict((conflict) => conflict.column('tokenHash').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}
