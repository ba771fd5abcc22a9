import { ownProperty } from './own-property.js';
import { PhraseSearch, type Span } from './phrase-search.js';

const minLength = 4;
const shown = '[secret]';

export type Redact = (text: string) => string;

/**
 * Hides secrets in responses of other servers, which may echo what they were sent. Covers each
 * encoding in which a server may have echoed a secret. A text of a few letters is not treated as a
 * secret, because hiding it would blank ordinary words. The secrets are only read when there is a
 * text to search: their encodings are many times as long.
 */
export function redactor(secrets: Iterable<string>): Redact {
  let search: PhraseSearch | undefined;
  return (text) => {
    search ??= new PhraseSearch(allSpellings(secrets));
    return hide(text, search.find(text));
  };
}

/** Hides short secrets, too: better to blank a harmless word than to show a secret. */
export function strictRedactor(secrets: readonly string[]): Redact {
  const redact = redactor(secrets);
  const short = secrets
    .filter(({ length }) => length < minLength)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return (text) => short.reduce((rest, secret) => rest.replaceAll(secret, shown), redact(text));
}

/** The same for every string of a JSON value, including keys. */
export function redactDeep(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => redactDeep(one, redact));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [redact(name), redactDeep(one, redact)]),
  );
}

function hide(text: string, spans: readonly Span[]): string {
  let hidden = '';
  let end = 0;
  for (const { from, to } of spans) {
    hidden += text.slice(end, from) + shown;
    end = to;
  }
  return end === 0 ? text : hidden + text.slice(end);
}

function allSpellings(secrets: Iterable<string>): Set<string> {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < minLength) continue;
    for (const spelling of spellingsOf(secret)) spellings.add(spelling);
  }
  return spellings;
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].flatMap((before) => base64Behind(bytes, before));
  const url = [encodeURIComponent(secret), formOf(secret), hex.replaceAll(/../g, '%$&')];
  return [
    secret,
    ...jsonSpellings(secret),
    secret.replaceAll(/[&<>"']/g, (mark) => ownProperty(entities, mark) ?? mark),
    ...url.flatMap((text) => [withEscapes(text, 'lower'), withEscapes(text, 'upper')]),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** Some serializers escape slashes, some HTML characters, some everything that is not ASCII. */
function jsonSpellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const code = (mark: string) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return [
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll(/[<>&]/g, code),
    json.replaceAll(/[\u0080-\uffff]/g, code),
  ];
}

/**
 * The base64 after a number of preceding bytes: to the end of the text, and without the character
 * that it shares with what follows.
 */
function base64Behind(bytes: Buffer, before: number): string[] {
  const all = Buffer.concat([Buffer.alloc(before), bytes]);
  const text = all.toString('base64').replace(/={1,2}$/, '');
  const first = Math.ceil((before * 8) / 6);
  return [text.slice(first), text.slice(first, Math.floor((all.length * 8) / 6))];
}

function formOf(secret: string): string {
  return new URLSearchParams({ '': secret }).toString().slice(1);
}

function withEscapes(text: string, letters: 'lower' | 'upper'): string {
  return text.replaceAll(/%[0-9A-Fa-f]{2}/g, (code) =>
    letters === 'lower' ? code.toLowerCase() : code.toUpperCase(),
  );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
