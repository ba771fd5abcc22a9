import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { holdConversation } from '../conversations/conversations.js';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';

/**
 * Keys of requests that must not take effect twice. A process claims a key for a few seconds,
 * renews the claim while it works, and writes the response in the transaction that does the work.
 * Whoever finds a claim that was not renewed takes it over; the previous holder's transaction then
 * finds the claim gone and is rolled back.
 */
export type KeyClaim =
  | { kind: 'claimed'; claim: string }
  | { kind: 'answered'; answer: Buffer }
  | { kind: 'busy'; retryAfterSeconds: number }
  /** The response was deleted with its conversation. */
  | { kind: 'forgotten' }
  | { kind: 'reused' };

export type KeyRequest = { key: string; fingerprint: Buffer };
export type ClaimedKey = { key: string; claim: string };

export const idempotencyHours = 24;
const claimSeconds = 15;

const ownTime = sql<Date>`now() + make_interval(secs => ${claimSeconds})`;
const forgotten = sql<Date>`now() - make_interval(hours => ${idempotencyHours})`;

export async function claimKey(
  { organizationId, trx }: OrganizationScope,
  { key, fingerprint }: KeyRequest,
): Promise<KeyClaim> {
  const claim = randomUUID();
  const claimed = await trx
    .insertInto('idempotencyKeys')
    .values({ organizationId, key, fingerprint, claim, claimedUntil: ownTime, answer: null })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'key'])
        .doUpdateSet({
          fingerprint,
          claim,
          claimedUntil: ownTime,
          answer: null,
          conversationId: null,
          forgotten: false,
          createdAt: sql`now()`,
        })
        .where((eb) =>
          eb.or([
            eb('idempotencyKeys.createdAt', '<', forgotten),
            eb.and([
              eb('idempotencyKeys.fingerprint', '=', fingerprint),
              eb('idempotencyKeys.answer', 'is', null),
              eb('idempotencyKeys.forgotten', '=', false),
              eb('idempotencyKeys.claimedUntil', '<', sql<Date>`now()`),
            ]),
          ]),
        ),
    )
    .returning('claim')
    .executeTakeFirst();
  return claimed
    ? { kind: 'claimed', claim }
    : standingOf({ organizationId, trx }, { key, fingerprint });
}

async function standingOf(
  scope: OrganizationScope,
  { key, fingerprint }: KeyRequest,
): Promise<KeyClaim> {
  const row = await scope.trx
    .selectFrom('idempotencyKeys')
    .select([
      'fingerprint',
      'answer',
      'forgotten',
      sql<number>`ceil(extract(epoch from claimed_until - now()))::int`.as('seconds'),
    ])
    .where('organizationId', '=', scope.organizationId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (!row) return { kind: 'busy', retryAfterSeconds: 1 };
  if (!row.fingerprint.equals(fingerprint)) return { kind: 'reused' };
  if (row.forgotten) return { kind: 'forgotten' };
  if (row.answer) return { kind: 'answered', answer: row.answer };
  return { kind: 'busy', retryAfterSeconds: Math.max(1, row.seconds) };
}

/** How often a claim is renewed, so that a pause or a lost renewal does not lose it. */
export const claimRenewalMs = (claimSeconds * 1000) / 3;

export async function renewClaim(scope: OrganizationScope, claimed: ClaimedKey): Promise<void> {
  await scope.trx
    .updateTable('idempotencyKeys')
    .set({ claimedUntil: ownTime })
    .where('organizationId', '=', scope.organizationId)
    .where('key', '=', claimed.key)
    .where('claim', '=', claimed.claim)
    .execute();
}

export type KeptAnswer = ClaimedKey & {
  answer: Buffer;
  /** The conversation that the response is about: it is deleted with that. */
  conversationId: string | null;
};

/**
 * Whether the claim was still valid. If not, the transaction must be rolled back: somebody else
 * does the work.
 */
export async function keepAnswer(
  scope: OrganizationScope,
  { key, claim, answer, conversationId }: KeptAnswer,
): Promise<boolean> {
  const gone = conversationId !== null && !(await holdConversation(scope, conversationId));
  const { numUpdatedRows } = await scope.trx
    .updateTable('idempotencyKeys')
    .set(gone ? { forgotten: true } : { answer, conversationId })
    .where('organizationId', '=', scope.organizationId)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Deletes the responses about these conversations. Their keys are kept, so that the work is not
 * done again.
 */
export async function forgetAnswers(
  { organizationId, trx }: OrganizationScope,
  conversationIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable('idempotencyKeys')
    .set({ answer: null, conversationId: null, forgotten: true })
    .where('organizationId', '=', organizationId)
    .where('conversationId', '=', sql<string>`any(${conversationIds}::uuid[])`)
    .execute();
}

/** Releases a key whose request had no effect. */
export async function releaseKey(scope: OrganizationScope, claimed: ClaimedKey): Promise<void> {
  await scope.trx
    .deleteFrom('idempotencyKeys')
    .where('organizationId', '=', scope.organizationId)
    .where('key', '=', claimed.key)
    .where('claim', '=', claimed.claim)
    .where('answer', 'is', null)
    .execute();
}

export async function deleteForgottenKeys({ trx }: SystemScope, limit: number): Promise<number> {
  const result = await trx
    .with('old', (db) =>
      db
        .selectFrom('idempotencyKeys')
        .select(['organizationId', 'key'])
        .where('createdAt', '<', forgotten)
        .orderBy('createdAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('idempotencyKeys')
    .using('old')
    .whereRef('idempotencyKeys.organizationId', '=', 'old.organizationId')
    .whereRef('idempotencyKeys.key', '=', 'old.key')
    .executeTakeFirstOrThrow();
  return Number(result.numDeletedRows);
}
