import { Router, type Request, type Response } from 'express';
import { findAccount, findPassword, type Database } from '@parley/database';
import { Problem } from '@parley/protocol';
import type { ClientAddress, Logger } from '@parley/service-kit';
import { isConsoleToken, type ConsoleSessions, type FailedAttempts } from '@parley/session-store';
import { setCookie } from './console-routes.js';
import { OidcRefused, pendingMs, type Oidc, type OidcRefusal } from './oidc.js';
import { consoleCookie, cookieIn } from './own-requests.js';
import { enter } from './sign-in.js';
import type { SignedIn } from './signed-in.js';

export type OidcPorts = {
  readonly oidc: Oidc;
  readonly database: Database;
  readonly sessions: Pick<ConsoleSessions, 'open' | 'end'>;
  readonly attempts: FailedAttempts;
  readonly clientAddress: ClientAddress;
  readonly logger: Logger;
  readonly isSecure: boolean;
};

const pendingName = 'parley_oidc';

/**
 * Pages, not operations: a browser is redirected away here and comes back. Whatever goes wrong, it
 * ends up in the console, which shows the error.
 */
export function oidcRouter(ports: OidcPorts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { isSecure: secure } = ports;
  const cookie = { httpOnly: true, sameSite: 'lax', path: '/console/oidc', secure } as const;
  router.get('/start', async (request, response) => {
    response.locals['route'] = '/console/oidc/start';
    const returnTo = queryOf(request).get('returnTo') ?? undefined;
    const started = await ports.oidc.start(returnTo).catch((err: unknown) => {
      ports.logger.warn({ err }, 'OpenID Connect provider unavailable');
    });
    if (!started) {
      toConsole(response, 'unavailable');
      return;
    }
    response.cookie(pendingName, started.pending, { ...cookie, maxAge: pendingMs });
    response.redirect(303, started.url.href);
  });
  router.get('/callback', async (request, response) => {
    response.locals['route'] = '/console/oidc/callback';
    response.clearCookie(pendingName, cookie);
    const address = ports.clientAddress(request);
    if (ports.attempts.refusedFor(address) !== undefined) {
      toConsole(response, 'throttled');
      return;
    }
    try {
      const pending = cookieIn(request, pendingName);
      const { email, returnTo } = await ports.oidc.finish(
        `?${queryOf(request).toString()}`,
        pending,
      );
      const { cookie: value } = await enterAs(ports, email);
      const former = consoleCookie(request);
      if (former !== undefined && isConsoleToken(former)) await ports.sessions.end(former);
      setCookie(response, value, ports.isSecure);
      response.redirect(303, returnTo);
    } catch (err) {
      ports.logger.warn({ err }, 'OpenID Connect sign-in failed');
      const refused = err instanceof OidcRefused;
      if (refused) await ports.attempts.failed(address);
      toConsole(response, refused ? err.refusal : 'unavailable');
    }
  });
  router.use(() => {
    throw new Problem('route-not-found', 'Page not found.');
  });
  return router;
}

/**
 * Only for members: a provider vouches for addresses, but an owner decides who belongs to an
 * organization.
 */
async function enterAs({ database, sessions }: OidcPorts, email: string): Promise<SignedIn> {
  const account = await database.asSystem(async (system) => {
    const known = await findPassword(system, email);
    return known && findAccount(system, known.id);
  });
  const entered = account && (await enter(sessions, account, null));
  if (!entered) throw new OidcRefused('stranger', 'The address belongs to no member.');
  return entered;
}

function queryOf(request: Request): URLSearchParams {
  return new URL(request.url, 'http://path').searchParams;
}

function toConsole(response: Response, failure: OidcRefusal | 'throttled' | 'unavailable'): void {
  response.redirect(303, `/console/#sign-in-failed=${failure}`);
}
