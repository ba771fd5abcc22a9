import { AsyncResource } from 'node:async_hooks';
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import { createAllowList, type AllowList } from './allow-list.js';
import { createNameResolver, type Resolve } from './name-resolver.js';
import { createPolicy, EgressRefused, portOf, wayOut, type Policy } from './policy.js';
import { nextHop, redirectTarget, type Hop } from './redirect.js';
import { boundedBody, withDeadline } from './bounds.js';

/**
 * Every request whose target a tenant chooses goes through here: HTTP tools, MCP servers, webhooks,
 * provider addresses.
 */
export type Egress = {
  /**
   * fetch that checks the address of every connection when it is opened. It follows redirects
   * itself, checks each hop, and sends nothing that belongs to one origin to another. Only its
   * caller's signal limits how long it takes.
   */
  readonly fetch: GuardedFetch;
  /**
   * One bounded exchange. Throws EgressRefused, EgressTimeout, the signal's reason, or the
   * connection's error.
   */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** Throws EgressRefused if the URL itself is not allowed. */
  readonly check: (url: string | URL) => URL;
  /**
   * For sockets that others open to a checked URL: resolves names, and refuses forbidden
   * addresses.
   */
  lookup(url: URL): LookupFunction;
  close(): Promise<void>;
};

export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export type EgressRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
  /** For the whole exchange, including redirects and the body. */
  readonly timeoutMs: number;
  /** How much of the decoded body is read. */
  readonly maxBytes: number;
  /** How many redirects are followed; 3 by default. */
  readonly redirects?: number;
};

export type EgressResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly truncated: boolean;
};

const maxRedirects = 3;
const connectTimeoutMs = 10_000;
/** Each caller has its own deadline, which may be longer than undici's 300 seconds. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 } as const;

/** `allow` has the entries of TOOL_EGRESS_ALLOW: a host, a range or host:port. */
export function createEgress(
  allow: readonly string[],
  given: { nameServers?: readonly string[]; resolve?: Resolve } = {},
): Egress {
  const allowed = createAllowList(allow);
  const policy = createPolicy(allowed);
  const names = createNameResolver(given.nameServers);
  const resolve = given.resolve ?? names.resolve;
  const lookupOn = guardedLookup({ allowed, policy, resolve });
  const agent = new Agent({ connect: guardedConnector(policy.check, lookupOn), ...noTimeouts });
  const exchange = async (url: URL, hop: Hop, signal: AbortSignal | null): Promise<Response> => {
    try {
      return await send(url, { ...hop, signal, redirect: 'manual', dispatcher: agent });
    } catch (error) {
      throw error instanceof Error && error.cause instanceof EgressRefused ? error.cause : error;
    }
  };
  const follow = async (start: string | URL, init: RequestInit, redirects: number) => {
    let url = policy.check(start);
    let hop: Hop = {
      method: (init.method ?? 'GET').toUpperCase(),
      headers: new Headers(init.headers),
      body: init.body ?? null,
    };
    for (let left = redirects; ; left -= 1) {
      const response = await exchange(url, hop, init.signal ?? null);
      const target = redirectTarget(response, url);
      if (target === undefined || init.redirect === 'manual') return response;
      await response.body?.cancel();
      if (left === 0) throw new EgressRefused('Too many redirects.');
      const next = policy.check(target);
      hop = nextHop(hop, response.status, next.origin === url.origin);
      url = next;
    }
  };
  return {
    fetch: (url, init = {}) => follow(url, init, maxRedirects),
    check: policy.check,
    lookup: (url) => lookupOn(portOf(url)),
    request: ({ url, timeoutMs, maxBytes, signal, redirects = maxRedirects, ...init }) =>
      withDeadline({ timeoutMs, signal }, async (within) => {
        const response = await follow(url, { ...init, signal: within }, redirects);
        const { status, headers } = response;
        return { status, headers, ...(await boundedBody(response, maxBytes)) };
      }),
    close() {
      names.cancel();
      return agent.destroy();
    },
  };
}

type Guard = {
  readonly allowed: AllowList;
  readonly policy: Policy;
  /** For names that the operator has not allowed. */
  readonly resolve: Resolve;
};

function guardedLookup({ allowed, policy, resolve }: Guard): (port: number) => LookupFunction {
  return (port) => (host, options, callback) => {
    // The operator's own names may be known to this machine alone, and their servers answer.
    const resolveName = allowed.allowsName(host, port) ? systemLookup : resolve;
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      const refused = error ?? judge(host, addresses, port);
      if (refused) callback(refused, []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };

  /** All addresses of a name must be allowed, because any of them may be dialled. */
  function judge(host: string, addresses: readonly LookupAddress[], port: number) {
    if (
      addresses.length > 0 &&
      addresses.every(({ address }) => policy.permits(host, address, port))
    )
      return undefined;
    return new EgressRefused(
      `This name does not resolve to a public address, or the port is neither 80 nor 443. ${wayOut}`,
    );
  }
}

type Connector = ReturnType<typeof buildConnector>;

/**
 * Checks literal addresses here, because they are not resolved; all others are checked when they
 * are resolved.
 */
function guardedConnector(
  check: Egress['check'],
  lookupOn: (port: number) => LookupFunction,
): Connector {
  const byPort = new Map<number, Connector>();
  // A connection outlives the request that opened it, so its errors must not be attributed to that
  // request.
  const shared = new AsyncResource('parley.egress');
  return (options, callback) => {
    const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
    const port = portOf(url);
    try {
      check(url);
    } catch (error) {
      callback(error as EgressRefused, null);
      return;
    }
    let connect = byPort.get(port);
    if (!connect) {
      connect = buildConnector({ lookup: lookupOn(port), timeout: connectTimeoutMs });
      byPort.set(port, connect);
    }
    shared.runInAsyncScope(connect, undefined, options, callback);
  };
}

/**
 * undici's own fetch, which takes a dispatcher of the same version; its types differ from those of
 * Node's copy.
 */
const send = undiciFetch as unknown as (
  url: URL,
  init: Omit<RequestInit, 'dispatcher'> & { dispatcher: Agent },
) => Promise<Response>;
