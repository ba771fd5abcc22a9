import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Database } from '@parley/database';
import {
  findUsableKey,
  keyHash,
  requireOrganization,
  type Caller,
  type UsableKey,
} from '@parley/issuing';
import { isUuid, keyRememberedMs, ownProperty, Problem } from '@parley/protocol';
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
export type Authenticate = {
  (request: IncomingMessage, operation: Guarded): Promise<Caller>;
  /**
   * The caller that was established a moment ago with the same credentials, if it may call this
   * operation, too. It counts only if the caller has not changed meanwhile.
   */
  readonly recall?: (request: IncomingMessage, operation: Guarded) => Recalled | undefined;
};

export type Recalled = {
  readonly caller: Caller;
  /** Until when it counts, on the clock of `performance.now`. */
  readonly until: number;
};

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
  const authenticate = async (request: IncomingMessage, operation: Guarded) => {
    const presented = presentedIn(request, credentials);
    const { hash } = presented;
    const isKnown = goodKeys.has(presented);
    // Before the lookup: the socket of a caller that has disconnected has no address.
    const address = isKnown ? undefined : clientAddress(request);
    const seconds = address === undefined ? undefined : attempts.refusedFor(address);
    if (seconds !== undefined) {
      metrics.notAuthenticated('throttled');
      throw tooManyFailures(seconds);
    }
    try {
      const askedAt = performance.now();
      const found = await findUsableKey(ports.database, hash);
      const { caller } = found;
      requireOrganization(caller, credentials.organizationOf(request, operation));
      requireScope(caller, operation);
      goodKeys.add(presented, { ...found, until: askedAt + keyRememberedMs });
      return caller;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      goodKeys.delete(presented);
      metrics.notAuthenticated('refused');
      await attempts.failed(address ?? clientAddress(request));
      throw error;
    }
  };
  const recall = (request: IncomingMessage, operation: Guarded) => {
    try {
      const recalled = goodKeys.recall(presentedIn(request, credentials));
      if (!recalled) return undefined;
      requireOrganization(recalled.caller, credentials.organizationOf(request, operation));
      requireScope(recalled.caller, operation);
      return recalled;
    } catch {
      // The key may have changed: what is wrong is told after a lookup.
      return undefined;
    }
  };
  return Object.assign(authenticate, { recall });
}

/** A key identifies its caller; without one, the cookie counts. */
export function keyOrCookie(byKey: Authenticate, byCookie: Authenticate): Authenticate {
  const choose = (request: IncomingMessage) => {
    const cookie = sentIn(request, 'x-api-key') === '' ? consoleCookie(request) : undefined;
    return cookie === undefined ? byKey : byCookie;
  };
  const authenticate: Authenticate = (request, operation) => choose(request)(request, operation);
  const recall: Authenticate['recall'] = (request, operation) =>
    choose(request).recall?.(request, operation);
  return Object.assign(authenticate, { recall });
}

/** X-Api-Key and X-Org-Id, or OrgId in the query of an operation that supports it. */
export const headers: Credentials = {
  keyOf(request) {
    const text = sentIn(request, 'x-api-key');
    if (text === '') throw new Problem('key-missing', 'Send your API key in the X-Api-Key header.');
    return text;
  },
  organizationOf(request, operation) {
    const named = organizationsInQuery(request, operation);
    const sent = [sentIn(request, 'x-org-id'), ...named].filter((value) => value !== '');
    if (sent.length === 0)
      throw new Problem(
        'organization-missing',
        'Send your organization’s id in the X-Org-Id header.',
      );
    const [text = '', ...others] = sent.map((value) => value.toLowerCase());
    if (named.length > 0 && others.some((other) => other !== text))
      throw new Problem('organization-malformed', 'X-Org-Id and OrgId must match.');
    if (!isUuid(text))
      throw new Problem('organization-malformed', 'X-Org-Id must be a single UUID.');
    return text;
  },
};

/** Node joins repeated headers with a comma, which neither a key nor an id contains. */
function sentIn({ headers }: IncomingMessage, name: string): string {
  return String(ownProperty(headers, name) ?? '');
}

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

type Presented = { readonly key: Buffer; readonly hash: Buffer; readonly name: string };

/** The last key of each connection: a client sends the same one with every request. */
const lastPresented = new WeakMap<Socket, Presented>();

function presentedIn(request: IncomingMessage, { keyOf }: Credentials): Presented {
  const text = keyOf(request);
  const key = Buffer.from(text);
  const last = lastPresented.get(request.socket);
  // A proxy may send the requests of several callers on one connection.
  if (last?.key.length === key.length && timingSafeEqual(last.key, key)) return last;
  const hash = keyHash(text);
  const presented = { key, hash, name: hash.toString('base64') };
  lastPresented.set(request.socket, presented);
  return presented;
}

type FoundKey = UsableKey & Recalled;

/** Recently valid keys, by their hashes. */
class RecentKeys {
  readonly #keys = new Map<string, FoundKey>();

  has({ name }: Presented): boolean {
    return this.#keys.has(name);
  }

  /** Undefined if the key was looked up too long ago, or has expired. */
  recall({ name }: Presented): Recalled | undefined {
    const known = this.#keys.get(name);
    if (!known || performance.now() >= known.until) return undefined;
    return known.expiresAt && known.expiresAt <= new Date() ? undefined : known;
  }

  add({ name }: Presented, found: FoundKey): void {
    this.#keys.set(name, found);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > maxRecentKeys && oldest !== undefined) this.#keys.delete(oldest);
  }

  delete({ name }: Presented): void {
    this.#keys.delete(name);
  }
}

const maxRecentKeys = 10_000;
