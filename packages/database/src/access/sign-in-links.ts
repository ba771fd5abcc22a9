import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';

/**
 * A link signs its holder in once, as one member of one organization. Only its hash is stored:
 * whoever reads the database cannot sign in.
 */
export type LinkOutcome =
  | { outcome: 'redeemed'; memberId: string; userId: string; organizationId: string }
  | { outcome: 'used' | 'expired' | 'unknown' };

export type SignInLink = { token: string; expiresAt: Date };

const goodForSeconds = 600;

/** The console's URL for a link's token: after the #, it reaches neither a server nor its log. */
export function signInUrl(baseUrl: string, { token }: SignInLink): string {
  return `${baseUrl.replace(/\/$/, '')}/console/#sign-in=${token}`;
}

/** Deletes the member's links that expired more than a day ago. */
export async function issueSignInLink(
  { organizationId, trx }: OrganizationScope,
  memberId: string,
): Promise<SignInLink> {
  await trx
    .deleteFrom('signInLinks')
    .where('organizationId', '=', organizationId)
    .where('memberId', '=', memberId)
    .where('expiresAt', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
  const token = randomBytes(32).toString('base64url');
  const expiresAt = sql<Date>`now() + make_interval(secs => ${goodForSeconds})`;
  const { expiresAt: until } = await trx
    .insertInto('signInLinks')
    .values({ organizationId, memberId, tokenHash: hashOf(token), expiresAt })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
  return { token, expiresAt: until };
}

/** Of all concurrent attempts with a link, one succeeds. */
export async function redeemSignInLink({ trx }: SystemScope, token: string): Promise<LinkOutcome> {
  const tokenHash = hashOf(token);
  const redeemed = await trx
    .updateTable('signInLinks')
    .from('members')
    .set({ usedAt: sql<Date>`now()` })
    .whereRef('members.id', '=', 'signInLinks.memberId')
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning(['signInLinks.memberId', 'members.userId', 'signInLinks.organizationId'])
    .executeTakeFirst();
  if (redeemed) return { outcome: 'redeemed', ...redeemed };
  const found = await trx
    .selectFrom('signInLinks')
    .select('usedAt')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  return { outcome: found ? (found.usedAt ? 'used' : 'expired') : 'unknown' };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
