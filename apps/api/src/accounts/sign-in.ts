import { createHash } from 'node:crypto';
import {
  emailSpelling,
  findAccount,
  findPassword,
  redeemSignInLink,
  type Account,
  type Database,
  type LinkOutcome,
} from '@parley/database';
import { Problem, type FieldError, type SignInInput } from '@parley/protocol';
import {
  orUnavailable,
  redisUnavailable,
  type ConsoleSession,
  type ConsoleSessions,
  type RateLimit,
} from '@parley/session-store';
import type { Guest, PasswordDesk } from './password-desk.js';
import { membershipsOf, type SignedIn } from './signed-in.js';

export type SignInPorts = {
  readonly database: Database;
  readonly sessions: Pick<ConsoleSessions, 'open'>;
  /** Password attempts, by account. */
  readonly signIns: RateLimit;
  readonly passwords: Pick<PasswordDesk, 'isRight'>;
};

/** Tries each sign-in method. Throws a Problem if none succeeds. */
export function signIn(ports: SignInPorts, guest: Guest, input: SignInInput): Promise<SignedIn> {
  const { token, email, password } = input;
  if (token !== undefined && email === undefined && password === undefined)
    return byLink(ports, token);
  if (token === undefined && email !== undefined && password !== undefined)
    return byPassword(ports, guest, { email, password });
  throw new Problem('body-invalid', 'Send either token, or email and password.', {
    errors: missing(input),
  });
}

function missing({ token, email, password }: SignInInput): FieldError[] {
  if (token !== undefined)
    return [{ path: '/token', message: 'must not be combined with email or password' }];
  if (email === undefined && password === undefined)
    return [{ path: '/token', message: 'is missing' }];
  return [{ path: email === undefined ? '/email' : '/password', message: 'is missing' }];
}

/**
 * The link is used up with the session that it opens: while Redis is unavailable, it stays valid.
 */
async function byLink({ database, sessions }: SignInPorts, token: string): Promise<SignedIn> {
  return database.asSystem(async (system) => {
    const link = await redeemSignInLink(system, token);
    if (link.outcome !== 'redeemed') throw unusable(link.outcome);
    const account = await findAccount(system, link.userId);
    const entered = account && (await enter(sessions, account, link.memberId));
    if (!entered) throw unusable('unknown');
    return entered;
  });
}

async function byPassword(
  { database, sessions, signIns, passwords }: SignInPorts,
  guest: Guest,
  { email, password }: { email: string; password: string },
): Promise<SignedIn> {
  await throttle(signIns, email);
  const known = await database.asSystem((system) => findPassword(system, email));
  const right = await passwords.isRight(guest, password, known?.passwordHash ?? null);
  if (!known || !right) throw refused();
  const account = await database.asSystem((system) => findAccount(system, known.id));
  const entered = account && (await enter(sessions, account, null));
  if (!entered) throw refused();
  return entered;
}

/** Undefined if there is no organization to enter. */
export async function enter(
  sessions: Pick<ConsoleSessions, 'open'>,
  account: Account,
  memberId: string | null,
): Promise<SignedIn | undefined> {
  const session: ConsoleSession = { userId: account.id, memberId, epoch: account.sessionEpoch };
  const memberships = membershipsOf(account, session);
  if (memberships.length === 0) return undefined;
  return { cookie: await orUnavailable(sessions.open(session)), account, memberships };
}

/** Limits guessing from any number of addresses; an unknown account counts alike. */
async function throttle(signIns: RateLimit, email: string): Promise<void> {
  const account = createHash('sha256').update(emailSpelling(email)).digest('base64url');
  const verdict = await signIns.consume(account);
  if (verdict.kind === 'unknown') throw redisUnavailable();
  if (verdict.kind === 'limited')
    throw new Problem(
      'rate-limited',
      `Somebody has tried too many passwords for this account. Wait ${verdict.retryAfterSeconds} s, or use a sign-in link.`,
      { headers: { 'Retry-After': String(verdict.retryAfterSeconds) } },
    );
}

function refused(): Problem {
  return new Problem('sign-in-refused', 'The email address or password is wrong.');
}

const linkRefusals = {
  used: 'The link was used before. Ask for a new one.',
  expired: 'The link has expired. Ask for a new one.',
  unknown: 'The link is not valid. Copy it whole, or ask for a new one.',
} as const satisfies Record<Exclude<LinkOutcome['outcome'], 'redeemed'>, string>;

function unusable(outcome: keyof typeof linkRefusals): Problem {
  return new Problem('sign-in-link-unusable', linkRefusals[outcome]);
}
