import {
  findPresentedKey,
  type Actor,
  type Database,
  type OpenedBy,
  type PresentedKey,
} from '@parley/database';
import { hashApiKey, Problem, type Scope } from '@parley/protocol';

/** The caller, as established by the key or the signed-in member, and the organization. */
export type Caller = {
  organizationId: string;
  /** The id of the API key or of the member. */
  id: string;
  /** What the caller opens ends when this is revoked. */
  openedBy: OpenedBy;
  scopes: readonly Scope[];
  actor: Extract<Actor, { kind: 'key' | 'user' }>;
};

export type UsableKey = { readonly caller: Caller; readonly expiresAt: Date | null };

const maxKeyLength = 256;

/** The hash that keys are looked up by. */
export function keyHash(key: string): Buffer {
  if (key.length > maxKeyLength) throw invalidKey();
  return hashApiKey(key);
}

/**
 * Finds the owner of a key. Unknown, malformed and revoked keys get the same response after the
 * same lookup.
 */
export async function findUsableKey(database: Database, hash: Buffer): Promise<UsableKey> {
  const key = await findPresentedKey(database, hash);
  if (!key || key.revokedAt) throw invalidKey();
  if (key.expiresAt && key.expiresAt <= new Date())
    throw new Problem(
      'key-expired',
      `The API key expired at ${key.expiresAt.toISOString()}. Create a new one.`,
    );
  return { caller: callerOf(key), expiresAt: key.expiresAt };
}

export function requireOrganization(caller: Caller, named: string | undefined): void {
  if (named !== undefined && named !== caller.organizationId)
    throw new Problem(
      'organization-forbidden',
      'The key does not belong to the organization that the request names.',
    );
}

export function invalidKey(): Problem {
  return new Problem('key-invalid', 'The API key is not valid. Check it, or create a new one.');
}

function callerOf({ id, name, organizationId, scopes }: PresentedKey): Caller {
  const actor = { kind: 'key', id, name } as const;
  return { organizationId, id, openedBy: { keyId: id }, scopes, actor };
}
