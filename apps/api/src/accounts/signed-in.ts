import type { IncomingMessage } from 'node:http';
import { findAccount, type Account, type Database, type Membership } from '@parley/database';
import { allScopes, includesRole, Problem, roleFor } from '@parley/protocol';
import {
  isConsoleToken,
  orUnavailable,
  type ConsoleSession,
  type ConsoleSessions,
} from '@parley/session-store';
import type { Authenticate, Credentials } from '../http/authenticate.js';
import type { Guarded } from '../http/require-scope.js';
import { consoleCookie, requireCsrfToken, type RequireOwnOrigin } from './own-requests.js';

export type SignedInPorts = {
  readonly database: Database;
  readonly sessions: Pick<ConsoleSessions, 'use' | 'look'>;
  readonly requireOwnOrigin: RequireOwnOrigin;
};

/** The user of a request, and the organizations that its session may access. */
export type SignedIn = {
  readonly cookie: string;
  readonly account: Account;
  readonly memberships: readonly Membership[];
};

/**
 * Reads PostgreSQL on each request: a changed role or a removed member takes effect immediately.
 */
export async function signedIn(
  { database, sessions }: Pick<SignedInPorts, 'database' | 'sessions'>,
  request: IncomingMessage,
  ask: 'use' | 'look' = 'use',
): Promise<SignedIn> {
  const cookie = consoleCookie(request);
  if (cookie === undefined || !isConsoleToken(cookie)) throw sessionOver();
  const session = await orUnavailable(sessions[ask](cookie));
  if (!session) throw sessionOver();
  const account = await database.asSystem((system) => findAccount(system, session.userId));
  const memberships = account ? membershipsOf(account, session) : [];
  if (!account || memberships.length === 0) throw sessionOver();
  return { cookie, account, memberships };
}

/** The memberships that the session may use; none once it has expired. */
export function membershipsOf(account: Account, session: ConsoleSession): Membership[] {
  if (account.sessionEpoch !== session.epoch) return [];
  const { memberId } = session;
  return account.memberships.filter(({ id }) => memberId === null || memberId === id);
}

/** Checks what another page cannot send, although the browser adds the cookie. */
export function requireOwnRequest(
  request: IncomingMessage,
  cookie: string,
  requireOwnOrigin: RequireOwnOrigin,
): void {
  requireOwnOrigin(request);
  requireCsrfToken(request, cookie);
}

/**
 * Checks the session, then that our own page sent the request, then the organization, then the
 * role.
 */
export function memberAuthenticator(
  ports: SignedInPorts,
  { organizationOf }: Pick<Credentials, 'organizationOf'>,
): Authenticate {
  return async (request, operation) => {
    const ask = isStanding(operation) ? 'look' : 'use';
    const { cookie, account, memberships } = await signedIn(ports, request, ask);
    if (operation.method !== 'get') requireOwnRequest(request, cookie, ports.requireOwnOrigin);
    const organizationId = organizationOf(request, operation);
    const membership = memberships.find((member) => member.organizationId === organizationId);
    if (!membership)
      throw new Problem('organization-forbidden', 'You are not a member of this organization.');
    const needed = roleFor(operation);
    if (!includesRole(membership.role, needed))
      throw new Problem(
        'role-missing',
        `Your role in the organization is ${membership.role}; this needs ${needed}.`,
      );
    return {
      organizationId: membership.organizationId,
      id: membership.id,
      openedBy: { keyId: null, memberId: membership.id },
      scopes: allScopes,
      actor: { kind: 'user', id: account.id, name: account.name || account.email },
    };
  };
}

/**
 * An event stream stays open without anybody using the console, so it does not extend the session.
 */
function isStanding({ success }: Guarded): boolean {
  return success?.stream?.includes('text/event-stream') === true;
}

function sessionOver(): Problem {
  return new Problem('session-over', 'You are signed out. Sign in again.');
}
