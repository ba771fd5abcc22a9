import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from '@parley/protocol';

export const cookieName = 'parley_console';

/** The value of the console's cookie; undefined where there is none, and where there are several: one of them is somebody else's. */
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

/** Known to whoever can read an answer to the cookie, and to no page of another origin. It does not lead back to the cookie. */
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

/** Refuses what no page of this deployment has sent. Tells the page's origin. */
export type RequireOwnOrigin = (request: IncomingMessage) => URL;

/** Without a public URL, the origin must be that of the host which the request was sent to. */
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
