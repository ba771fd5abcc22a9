import { wrongArgument } from './argument-checks.js';
import type { WebhookEvent } from './contract.js';
import { ParleyWebhookError } from './errors.js';

/** A webhook request that you received. */
export type WebhookRequest = {
  /** The raw body, before any parsing. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** A `Headers` object, or Node's `request.headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The webhook's secret, `whsec_…`; pass the previous one, too, while you rotate it. */
  readonly secret: string | readonly string[];
  /** Maximum difference between the request's timestamp and the current time; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
};

const encoder = new TextEncoder();

/**
 * Returns the event in a webhook request. Throws a `ParleyWebhookError` unless the request was
 * signed with the secret (Standard Webhooks) and sent recently. An event may be delivered more than
 * once: deduplicate on the `webhook-id` header.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const body = bytesOf(request.body);
  const id = headerOf(request.headers, 'webhook-id');
  const timestamp = headerOf(request.headers, 'webhook-timestamp');
  const signatures = headerOf(request.headers, 'webhook-signature');
  checkTime(timestamp, request.toleranceSeconds ?? 300);
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), body);
  for (const key of await keysOf(request.secret))
    for (const signature of signaturesIn(signatures))
      // verify() compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return eventIn(body);
  throw new ParleyWebhookError(
    'signature-wrong',
    'No signature matches. Check that this is the secret of the webhook and that the body is unmodified.',
  );
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new ParleyWebhookError('headers-missing', `The request has no header ${name}.`);
}

function checkTime(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp))
    throw new ParleyWebhookError(
      'headers-missing',
      'webhook-timestamp is not a number of seconds.',
    );
  const age = Date.now() / 1000 - Number(timestamp);
  if (age > toleranceSeconds)
    throw new ParleyWebhookError('too-old', `The request was sent ${Math.round(age)} s ago.`);
  if (-age > toleranceSeconds)
    throw new ParleyWebhookError(
      'too-new',
      'The request’s timestamp is in the future: check your clock.',
    );
}

/** `v1,BASE64 v1,BASE64`: one for each active secret. Other versions are ignored. */
function* signaturesIn(header: string): Generator<Uint8Array<ArrayBuffer>> {
  for (const each of header.split(' ')) {
    const bytes = each.startsWith('v1,') && fromBase64(each.slice('v1,'.length));
    if (bytes) yield bytes;
  }
}

function keysOf(secret: WebhookRequest['secret']): Promise<CryptoKey[]> {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  return Promise.all(
    secrets.map((each) => {
      const bytes = fromBase64(each.replace(/^whsec_/, ''));
      if (!bytes || bytes.length === 0)
        throw wrongArgument(
          'secret must be the webhook’s signing secret: whsec_ followed by base64.',
        );
      const algorithm = { name: 'HMAC', hash: 'SHA-256' };
      return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    }),
  );
}

function eventIn(body: Uint8Array<ArrayBuffer>): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new ParleyWebhookError('body-malformed', 'The body is signed, but it is not an event.');
  }
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw wrongArgument(
    'body must be the raw text or bytes: use express.raw() or await request.text(), not parsed JSON.',
  );
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
