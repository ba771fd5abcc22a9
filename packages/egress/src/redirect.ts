import { EgressRefused } from './policy.js';

export type Hop = {
  readonly method: string;
  readonly headers: Headers;
  readonly body: NonNullable<RequestInit['body']> | null;
};

const statuses = new Set([301, 302, 303, 307, 308]);
/** Headers that may follow a redirect to another origin. Any other header may contain a secret. */
const harmless = ['accept', 'accept-language', 'user-agent'];
const ofBody = ['content-type', 'content-length', 'content-encoding', 'content-language'];

/** The target of a response, if it is a redirect. */
export function redirectTarget(response: Response, from: URL): string | undefined {
  const location = statuses.has(response.status) ? response.headers.get('location') : null;
  if (location === null) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from).href : location;
}

/**
 * The request that follows a redirect, as a browser would make it, without anything that belongs to
 * the first origin.
 */
export function nextHop(hop: Hop, status: number, sameOrigin: boolean): Hop {
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const bodyless = becomesGet || hop.body === null;
  if (!bodyless && !sameOrigin)
    throw new EgressRefused('A redirect would have sent the request’s body to another origin.');
  const headers = sameOrigin ? new Headers(hop.headers) : pick(hop.headers, harmless);
  if (bodyless) for (const name of ofBody) headers.delete(name);
  return { method: becomesGet ? 'GET' : hop.method, headers, body: bodyless ? null : hop.body };
}

function pick(headers: Headers, names: readonly string[]): Headers {
  const entries = names.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return new Headers(entries);
}
