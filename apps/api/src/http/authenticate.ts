import type { IncomingMessage } from 'node:http';
import {
  findApiKeyByHash,
  noteApiKeyUse,
  type ApiKeyRecord,
  type Database,
} from '@parley/database';
import { hashApiKey, isUuid, Problem, type Operation } from '@parley/protocol';
import type { ClientAddress } from '@parley/service-kit';
import type { FailedAttempts } from '@parley/session-store';
import type { ApiMetrics } from '../metrics.js';
import type { Caller } from './call.js';
import { requireScope } from './require-scope.js';

const maxKeyLength = 256;

export type AuthenticationPorts = {
  readonly database: Database;
  readonly attempts: FailedAttempts;
  readonly clientAddress: ClientAddress;
  readonly metrics: Pick<ApiMetrics, 'notAuthenticated'>;
};

/** Who calls, and that it may call this operation. */
export type Authenticate = (request: IncomingMessage, operation: Operation) => Promise<Caller>;

/**
 * X-Api-Key, then X-Org-Id, then the scope. Unknown, malformed and revoked keys get the same answer after the same look-up. An address that
 * fails too often is refused before the database is asked, unless its key was good a while ago: where many callers share one address, a
 * stranger among them locks out nobody.
 */
export function authenticator(ports: AuthenticationPorts): Authenticate {
  const { attempts, clientAddress, metrics } = ports;
  const goodKeys = new RecentKeys();
  return async (request, operation) => {
    const hash = keyHashOf(request);
    const address = clientAddress(request);
    const seconds = goodKeys.has(hash) ? undefined : attempts.refusedFor(address);
    if (seconds !== undefined) {
      metrics.notAuthenticated('throttled');
      throw tooManyFailures(seconds);
    }
    try {
      const caller = callerOf(request, await findKey(hash, ports.database));
      requireScope(caller, operation);
      goodKeys.add(hash);
      return caller;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      goodKeys.delete(hash);
      metrics.notAuthenticated('refused');
      await attempts.failed(address);
      throw error;
    }
  };
}

function callerOf(request: IncomingMessage, key: ApiKeyRecord): Caller {
  const organizationId = organizationOf(request);
  if (organizationId !== key.organizationId)
    throw new Problem(
      'organization-forbidden',
      'The key does not belong to the organization in X-Org-Id.',
    );
  return {
    organizationId,
    keyId: key.id,
    scopes: key.scopes,
    actor: { kind: 'key', id: key.id, name: key.name },
  };
}

function keyHashOf(request: IncomingMessage): Buffer {
  const sent = request.headersDistinct['x-api-key'] ?? [];
  if (sent.every((value) => value === ''))
    throw new Problem('key-missing', 'Send your API key in the X-Api-Key header.');
  const [text = ''] = sent;
  if (sent.length > 1 || text.length > maxKeyLength) throw invalidKey();
  return hashApiKey(text);
}

async function findKey(hash: Buffer, database: Database): Promise<ApiKeyRecord> {
  const key = await database.asSystem(async (system) => {
    const found = await findApiKeyByHash(system, hash);
    if (found && !found.revokedAt) await noteApiKeyUse(system, found.id);
    return found;
  });
  if (!key || key.revokedAt) throw invalidKey();
  if (key.expiresAt && key.expiresAt <= new Date())
    throw new Problem(
      'key-expired',
      `The API key expired at ${key.expiresAt.toISOString()}. Create a new one.`,
    );
  return key;
}

function organizationOf(request: IncomingMessage): string {
  const sent = request.headersDistinct['x-org-id'] ?? [];
  if (sent.every((value) => value === ''))
    throw new Problem(
      'organization-missing',
      'Send your organization’s id in the X-Org-Id header.',
    );
  const [text = ''] = sent;
  if (sent.length > 1 || !isUuid(text))
    throw new Problem('organization-malformed', 'X-Org-Id must be one UUID.');
  return text.toLowerCase();
}

function invalidKey(): Problem {
  return new Problem('key-invalid', 'The API key is not valid. Check it, or create a new one.');
}

function tooManyFailures(seconds: number): Problem {
  return new Problem(
    'rate-limited',
    `Too many requests from your address had a wrong key. Wait ${seconds} s, and check the key.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/** Hashes of keys that were good lately. It grants nothing: each is looked up again. */
class RecentKeys {
  readonly #hashes = new Set<string>();

  has(hash: Buffer): boolean {
    return this.#hashes.has(hash.toString('base64'));
  }

  add(hash: Buffer): void {
    this.#hashes.add(hash.toString('base64'));
    const [oldest] = this.#hashes;
    if (this.#hashes.size > maxRecentKeys && oldest !== undefined) this.#hashes.delete(oldest);
  }

  delete(hash: Buffer): void {
    this.#hashes.delete(hash.toString('base64'));
  }
}

const maxRecentKeys = 10_000;
