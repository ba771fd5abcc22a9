import {
  findPresentedKey,
  type Actor,
  type Database,
  type OpenedBy,
  type PresentedKey,
} from '@parley/database';
import { hashApiKey, Problem, type Scope } from '@parley/protocol';

/** Who calls, as established by the key, or by who is signed in, and the organization. */
export type Caller = {
  organizationId: string;
  /** Of the API key or of the member. */
  id: string;
  /** What the caller opens ends with this. */
  openedBy: OpenedBy;
  scopes: readonly Scope[];
  actor: Extract<Actor, { kind: 'key' | 'user' }>;
};

const maxKeyLength = 256;

/** What a key is looked up by. */
export function keyHash(key: string): Buffer {
  if (key.length > maxKeyLength) throw invalidKey();
  return hashApiKey(key);
}

/** Whose key it is. Unknown, malformed and revoked keys get the same answer after the same look-up. */
export async function findUsableKey(database: Database, hash: Buffer): Promise<Caller> {
  const key = await findPresentedKey(database, hash);
  if (!key || key.revokedAt) throw invalidKey();
  if (key.expiresAt && key.expiresAt <= new Date())
    throw new Problem(
      'key-expired',
      `The API key expired at ${key.expiresAt.toISOString()}. Create a new one.`,
    );
  return callerOf(key);
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
