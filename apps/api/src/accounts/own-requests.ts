import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from '@parley/protocol';

export const cookieName = 'parley_console';

/**
 * The value of the console's cookie; undefined if there is none, or several, because one of them
 * would be somebody else's.
 */
export function consoleCookie(request: IncomingMessage): string | undefined {
  return cookieIn(request, cookieName);
}

export function cookieIn({ headers }: IncomingMessage, wanted: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    return name.trim() === wanted ? [value.trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

/**
 * Known to whoever can read a response to the cookie, but to no page of another origin. The cookie
 * cannot be derived from it.
 */
export function csrfToken(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url');
}

export function requireCsrfToken({ headers }: IncomingMessage, cookie: string): void {
  const sent = Buffer.from(String(headers['x-parley-csrf'] ?? ''));
  const expected = Buffer.from(csrfToken(cookie));
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw new Problem(
      'csrf-token-wrong',
      'Send the csrfToken from GET /Me in the X-Parley-Csrf header.',
    );
}

/** Refuses requests that no page of this deployment has sent. Returns the page's origin. */
export type RequireOwnOrigin = (request: IncomingMessage) => URL;

/** Without a public URL, the origin must match the host that the request was sent to. */
export function ownOrigin(publicUrl: string | undefined): RequireOwnOrigin {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  return ({ headers }) => {
    const origin = parse(headers.origin);
    const own = known ?? parse(origin && `${origin.protocol}//${headers.host}`);
    if (!origin || origin.origin !== own?.origin)
      throw new Problem(
        'origin-foreign',
        'The request must come from a page of this deployment: its Origin header is missing or names another one.',
      );
    return origin;
  };
}

function parse(text: string | undefined): URL | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}
