import type { Request, Response } from 'express';
import {
  consoleOperations,
  ownProperty,
  Problem,
  type Me,
  type Operation,
  type SignInInput,
} from '@parley/protocol';
import type { ClientAddress } from '@parley/service-kit';
import {
  consoleSessionLimits,
  isConsoleToken,
  orUnavailable,
  type ConsoleSessions,
  type FailedAttempts,
} from '@parley/session-store';
import type { Exchange } from '../http/exchange.js';
import { queryReader } from '../http/query.js';
import { bodyReader } from '../http/operation-routes.js';
import type { Route } from '../http/routes.js';
import { throttle, type Throttle } from '../http/throttle.js';
import type { ApiMetrics } from '../metrics.js';
import { consoleCookie, cookieName, csrfToken } from './own-requests.js';
import type { Guest } from './password-desk.js';
import { signIn, type SignInPorts } from './sign-in.js';
import { requireOwnRequest, signedIn, type SignedIn, type SignedInPorts } from './signed-in.js';

export type ConsolePorts = SignInPorts &
  SignedInPorts & {
    readonly sessions: ConsoleSessions;
    readonly attempts: FailedAttempts;
    readonly clientAddress: ClientAddress;
    readonly metrics: Pick<ApiMetrics, 'notAuthenticated'>;
    readonly requests: Throttle;
    readonly maxBodyBytes: number;
    readonly oidc: object | undefined;
  };

type Handle = (ports: ConsolePorts, exchange: Exchange) => Promise<void>;

/** Binds the operations that belong to no organization: how people come in and go. */
export function consoleRoutes(ports: ConsolePorts): Route[] {
  const readQuery = queryReader(undefined);
  return Object.entries<Operation>(consoleOperations).map(([id, { method, path }]) => {
    const perform = ownProperty(handlers, id);
    const handle = async (request: Request, response: Response) => {
      readQuery(request.url);
      await perform?.(ports, { request, response });
    };
    return { method, path, handle };
  });
}

const handlers: Readonly<Record<keyof typeof consoleOperations, Handle>> = {
  async signIn(ports, { request, response }) {
    const origin = ports.requireOwnOrigin(request);
    const { value } = await bodyReader(consoleOperations.signIn, ports.maxBodyBytes)(
      request,
      response,
    );
    const guest = guestOf(ports, { request, response });
    const entered = await countingFailures(ports, guest, () =>
      signIn(ports, guest, value as SignInInput),
    );
    const former = consoleCookie(request);
    if (former !== undefined && isConsoleToken(former)) await ports.sessions.end(former);
    setCookie(response, entered.cookie, origin.protocol === 'https:');
    response.json(meView(entered));
  },
  async signOut(ports, { request, response }) {
    const { cookie } = await present(ports, { request, response });
    requireOwnRequest(request, cookie, ports.requireOwnOrigin);
    await orUnavailable(ports.sessions.end(cookie));
    response.clearCookie(cookieName, cookieOptions).status(204).end();
  },
  getSignIn({ oidc }, { response }) {
    response.json({ password: true, oidc: oidc !== undefined });
    return Promise.resolve();
  },
  async getMe(ports, exchange) {
    exchange.response.json(meView(await present(ports, exchange)));
  },
};

async function present(ports: ConsolePorts, { request, response }: Exchange): Promise<SignedIn> {
  const entered = await signedIn(ports, request);
  response.locals['userId'] = entered.account.id;
  await throttle(response, entered.account.id, [ports.requests]);
  return entered;
}

function guestOf(
  { attempts, clientAddress, metrics }: ConsolePorts,
  { request, response }: Exchange,
): Guest {
  const address = clientAddress(request);
  return {
    address,
    requireWelcome() {
      if (response.closed) throw new Problem('request-timeout', 'The caller has disconnected.');
      const seconds = attempts.refusedFor(address);
      if (seconds === undefined) return;
      metrics.notAuthenticated('throttled');
      throw new Problem(
        'rate-limited',
        `Too many attempts from your address have failed. Wait ${seconds} s.`,
        { headers: { 'Retry-After': String(seconds) } },
      );
    },
  };
}

/** An address that keeps failing is refused for a while, before any store is asked. */
async function countingFailures<T>(
  { attempts, metrics }: ConsolePorts,
  { address, requireWelcome }: Guest,
  work: () => Promise<T>,
): Promise<T> {
  requireWelcome();
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.status === 401) {
      metrics.notAuthenticated('refused');
      await attempts.failed(address);
    }
    throw error;
  }
}

const cookieOptions = { httpOnly: true, sameSite: 'lax', path: '/' } as const;

export function setCookie(response: Response, value: string, secure: boolean): void {
  const maxAge = consoleSessionLimits.longestMs;
  response.cookie(cookieName, value, { ...cookieOptions, secure, maxAge });
}

function meView({ cookie, account: { id, email, name }, memberships }: SignedIn): Me {
  const organizations = memberships.map(({ organizationId, organizationName, role }) => ({
    id: organizationId,
    name: organizationName,
    role,
  }));
  return { user: { id, email, name }, organizations, csrfToken: csrfToken(cookie) };
}
