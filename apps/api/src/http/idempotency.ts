import type { IncomingMessage } from 'node:http';
import {
  claimKey,
  claimRenewalMs,
  keepAnswer,
  releaseKey,
  renewClaim,
  secretContext,
  type ClaimedKey,
  type Database,
  type KeyRequest,
  type OrganizationScope,
  type SecretBox,
} from '@parley/database';
import { idempotencyKeyPattern, isUuid, Problem } from '@parley/protocol';
import type { ReadBody } from './json-body.js';

const wellFormed = new RegExp(idempotencyKeyPattern);

/** The Idempotency-Key of a request, if any. */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const sent = request.headersDistinct['idempotency-key'];
  if (sent === undefined) return undefined;
  const [key = ''] = sent;
  if (sent.length > 1 || !wellFormed.test(key))
    throw new Problem(
      'idempotency-key-malformed',
      'Idempotency-Key must be a single string of 1 to 255 visible ASCII characters.',
    );
  return key;
}

export type Commit = <T>(work: (scope: OrganizationScope) => Promise<T>) => Promise<T>;

export type OnceRequest = KeyRequest & {
  organizationId: string;
  lateDigest?: ReadBody['lateDigest'] | undefined;
};
export type OnceResult = { answer: unknown; replayed: boolean };
export type Once = (
  request: OnceRequest,
  run: (commit: Commit) => Promise<unknown>,
) => Promise<OnceResult>;

/**
 * Runs a request, or repeats the response to an earlier one with the same key. Errors are not
 * stored.
 */
export function createOnce(stores: { database: Database; secretBox: SecretBox }): Once {
  return async (request, run) => {
    const { database, secretBox } = stores;
    const { organizationId, key } = request;
    const found = await database.inOrganization(organizationId, (scope) =>
      claimKey(scope, request),
    );
    if (found.kind === 'reused') throw reused();
    if (found.kind === 'busy') throw inProgress(found.retryAfterSeconds);
    if (found.kind === 'forgotten') throw forgotten();
    if (found.kind === 'answered') {
      const text = secretBox.open(found.answer, secretContext.answer(organizationId, key));
      const kept = JSON.parse(text) as Kept;
      if (kept.digest !== (await request.lateDigest?.())) throw reused();
      return { answer: kept.answer, replayed: true };
    }
    const { lateDigest } = request;
    const claimed = { organizationId, key, claim: found.claim, lateDigest };
    const answer = await underClaim(stores, claimed, run);
    return { answer, replayed: false };
  };
}

type Kept = { answer?: unknown; digest?: string };
type Claimed = ClaimedKey & Pick<OnceRequest, 'organizationId' | 'lateDigest'>;

async function underClaim(
  { database, secretBox }: { database: Database; secretBox: SecretBox },
  claimed: Claimed,
  run: (commit: Commit) => Promise<unknown>,
): Promise<unknown> {
  const { organizationId, key } = claimed;
  const inOrganization: Commit = (work) => database.inOrganization(organizationId, work);
  const progress = { kept: false };
  const keep = async (scope: OrganizationScope, answer: unknown): Promise<void> => {
    const context = secretContext.answer(organizationId, key);
    const kept = { answer, digest: await claimed.lateDigest?.() };
    const sealed = secretBox.seal(JSON.stringify(kept), context);
    const conversationId = conversationOf(answer);
    progress.kept = await keepAnswer(scope, { ...claimed, answer: sealed, conversationId });
    if (!progress.kept) throw inProgress(1);
  };
  const commit: Commit = (work) =>
    inOrganization(async (scope) => {
      const answer = await work(scope);
      await keep(scope, answer);
      return answer;
    });
  // A failed renewal or release only costs time: the claim expires by itself.
  const renewal = setInterval(() => {
    void inOrganization((scope) => renewClaim(scope, claimed)).catch(() => undefined);
  }, claimRenewalMs);
  try {
    const answer = await run(commit);
    if (!progress.kept) await inOrganization((scope) => keep(scope, answer));
    return answer;
  } catch (error) {
    await inOrganization((scope) => releaseKey(scope, claimed)).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** The conversation that a response refers to, in its own field or in that of its resource. */
function conversationOf(answer: unknown): string | null {
  const { conversationId, resource } = (answer ?? {}) as {
    conversationId?: unknown;
    resource?: { conversationId?: unknown };
  };
  const id = conversationId ?? resource?.conversationId;
  return typeof id === 'string' && isUuid(id) ? id : null;
}

function forgotten(): Problem {
  return new Problem(
    'not-found',
    'The request was completed, but its response was deleted with the conversation.',
  );
}

function reused(): Problem {
  return new Problem(
    'idempotency-key-reused',
    'The Idempotency-Key was used for another request, or by another API key. Use a new one.',
  );
}

function inProgress(seconds: number): Problem {
  return new Problem(
    'idempotency-in-progress',
    'A request with this Idempotency-Key is still in progress.',
    { headers: { 'Retry-After': String(seconds) } },
  );
}
