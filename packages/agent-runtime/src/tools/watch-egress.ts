import type { Egress } from '@parley/egress';
import { strictRedactor } from '@parley/protocol';
import { bounded } from './result-text.js';

/** A request as it was sent, with its secrets masked. */
export type SentRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** The same egress, which reports each request before it is sent. */
export function watchEgress(egress: Egress, onRequest: (request: SentRequest) => void): Egress {
  return {
    ...egress,
    request(request) {
      const { url, method, headers = {}, body } = request;
      onRequest({ url, method, headers, body: textOf(body) });
      return egress.request(request);
    },
    fetch(url, init = {}) {
      const { method = 'GET', body } = init;
      const headers = Object.fromEntries(new Headers(init.headers));
      onRequest({ url: String(url), method, headers, body: textOf(body) });
      return egress.fetch(url, init);
    },
  };
}

function textOf(body: unknown): string | null {
  return typeof body === 'string' ? body : null;
}

export function masked(request: SentRequest, secrets: readonly string[]): SentRequest {
  const hide = strictRedactor(secrets);
  const { method, url, headers, body } = request;
  return {
    method,
    url: hide(url),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, hide(value)]),
    ),
    body: body === null ? null : bounded(hide(body)),
  };
}
