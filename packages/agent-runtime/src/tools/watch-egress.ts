import type { Egress } from '@parley/egress';
import { redactor } from '@parley/protocol';
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

/** Masks short secrets, too: better to blank a harmless word than to show a secret. */
export function masked(request: SentRequest, secrets: readonly string[]): SentRequest {
  const redact = redactor(secrets);
  const hide = (text: string) =>
    secrets
      .flatMap((secret) => [secret, encodeURIComponent(secret)])
      .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), redact(text));
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
