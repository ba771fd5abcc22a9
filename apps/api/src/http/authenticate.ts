import type { IncomingMessage } from 'node:http';
import type { Database } from '@parley/database';
import {
  findUsableKey,
  invalidKey,
  keyHash,
  requireOrganization,
  type Caller,
} from '@parley/issuing';
import { isUuid, Problem } from '@parley/protocol';
import type { ClientAddress } from '@parley/service-kit';
import type { FailedAttempts } from '@parley/session-store';
import { consoleCookie } from '../accounts/own-requests.js';
import type { ApiMetrics } from '../metrics.js';
import { requireScope, type Guarded } from './require-scope.js';

export type AuthenticationPorts = {
  readonly database: Database;
  readonly attempts: FailedAttempts;
  readonly clientAddress: ClientAddress;
  readonly metrics: Pick<ApiMetrics, 'notAuthenticated'>;
};

/** Establishes who is calling, and that the caller may call this operation. */
export type Authenticate = (request: IncomingMessage, operation: Guarded) => Promise<Caller>;

/** Where a request carries its credentials. Both throw if they are missing. */
export type Credentials = {
  readonly keyOf: (request: IncomingMessage) => string;
  /** Undefined means the key's own organization. */
  readonly organizationOf: (request: IncomingMessage, operation: Guarded) => string | undefined;
};

/**
 * Checks the key, then the organization, then the scope. An address that fails too often is refused
 * before the database is queried, unless its key was recently valid: where many callers share one
 * address, a stranger among them cannot lock out the others.
 */
export function authenticator(
  ports: AuthenticationPorts,
  credentials: Credentials = headers,
): Authenticate {
  const { attempts, clientAddress, metrics } = ports;
  const goodKeys = new RecentKeys();
  return async (request, operation) => {
    const hash = keyHash(credentials.keyOf(request));
    const isKnown = goodKeys.has(hash);
    // Before the lookup: the socket of a caller that has disconnected has no address.
    const address = isKnown ? undefined : clientAddress(request);
    const seconds = address === undefined ? undefined : attempts.refusedFor(address);
    if (seconds !== undefined) {
      metrics.notAuthenticated('throttled');
      throw tooManyFailures(seconds);
    }
    try {
      const caller = await findUsableKey(ports.database, hash);
      requireOrganization(caller, credentials.organizationOf(request, operation));
      requireScope(caller, operation);
      if (!isKnown) goodKeys.add(hash);
      return caller;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      goodKeys.delete(hash);
      metrics.notAuthenticated('refused');
      await attempts.failed(address ?? clientAddress(request));
      throw error;
    }
  };
}

/** A key identifies its caller; without one, the cookie counts. */
export function keyOrCookie(byKey: Authenticate, byCookie: Authenticate): Authenticate {
  return (request, operation) => {
    const keys = request.headersDistinct['x-api-key'] ?? [];
    const keyless = keys.every((value) => value === '');
    const cookie = keyless ? consoleCookie(request) : undefined;
    return (cookie === undefined ? byKey : byCookie)(request, operation);
  };
}

/** X-Api-Key and X-Org-Id, or OrgId in the query of an operation that supports it. */
export const headers: Credentials = {
  keyOf(request) {
    const sent = request.headersDistinct['x-api-key'] ?? [];
    if (sent.every((value) => value === ''))
      throw new Problem('key-missing', 'Send your API key in the X-Api-Key header.');
    const [text = ''] = sent;
    if (sent.length > 1) throw invalidKey();
    return text;
  },
  organizationOf(request, operation) {
    const named = organizationsInQuery(request, operation);
    const sent = [...(request.headersDistinct['x-org-id'] ?? []), ...named];
    if (sent.every((value) => value === ''))
      throw new Problem(
        'organization-missing',
        'Send your organization’s id in the X-Org-Id header.',
      );
    const [text = '', ...others] = sent.map((value) => value.toLowerCase());
    if (named.length > 0 && others.some((other) => other !== text))
      throw new Problem('organization-malformed', 'X-Org-Id and OrgId must match.');
    if (sent.length - named.length > 1 || !isUuid(text))
      throw new Problem('organization-malformed', 'X-Org-Id must be a single UUID.');
    return text;
  },
};

function organizationsInQuery({ url = '' }: IncomingMessage, { query }: Guarded): string[] {
  if (!query || !Object.hasOwn(query.properties, 'OrgId')) return [];
  const start = url.indexOf('?');
  return start < 0 ? [] : new URLSearchParams(url.slice(start)).getAll('OrgId');
}

function tooManyFailures(seconds: number): Problem {
  return new Problem(
    'rate-limited',
    `Too many requests from your address had a wrong key. Wait ${seconds} s, and check the key.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/** Hashes of recently valid keys. This grants nothing: each key is looked up again. */
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
