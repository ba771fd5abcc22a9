import type { Setting } from './setting.js';
import { settings } from './settings.js';

const redacted = '[redacted]';
const deepest = 20;

const secretRows: [string, Setting][] = Object.entries(settings);
const secretNames = new Set([
  'key',
  'sessionid',
  ...secretRows.filter(([, row]) => row.secret).map(([name]) => plain(name)),
]);
const secretEnding =
  /(?:token|secrets?|password|passphrase|credentials?|authorization|cookie|(?:api|access|private|secrets?|encryption)key)$/;
const urlName = /^(?:path|href|referer|location|websocketpath)$|ur[il]$/;

/** Patterns of secrets anywhere in a text; the kept groups show where one was. */
const secretShapes: readonly (readonly [RegExp, string])[] = [
  [/parley_[a-z0-9]{1,16}_(?=[A-Za-z]{0,49}\d|[a-z]{0,49}[A-Z])[A-Za-z0-9]{8,}/g, redacted],
  [/(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{8,}/g, redacted],
  [/\b(Bearer\s+)[^\s"',;]+/gi, `$1${redacted}`],
  [/(sessionId(?:=|%3D|\\*"\s*:\s*\\*"))[^&\s"'#\\]+/g, `$1${redacted}`],
  [/\b(Basic\s+)(?=[A-Za-z]*[0-9+/=])[A-Za-z0-9+/=_-]{8,}/gi, `$1${redacted}`],
  [/whsec_[A-Za-z0-9+/=_-]{8,}/g, redacted],
  // `parley_` in base64, at any position in a group of three bytes, and in hex.
  [/(?:cGFybGV5X|BhcmxleV|YXJsZXlf)[A-Za-z0-9+/=_-]{16,}/g, redacted],
  [/7061726c65795f[0-9a-f]{16,}/gi, redacted],
  [/:\/\/[^\s/"'@?#]*@/g, `://${redacted}@`],
];

/** Redacts everything in a text that looks like a secret. */
export function scrub(text: string): string {
  return secretShapes.reduce((clean, [shape, mark]) => clean.replace(shape, mark), text);
}

/**
 * Redacts a whole JSON line just before it is written, so that nothing bypasses it: it covers
 * bindings, errors and formatted messages, and finds a secret by its name at any depth.
 */
export function redactLine(line: string): string {
  if (isHarmless(line)) return line;
  try {
    return `${JSON.stringify(redact(JSON.parse(line), 0))}\n`;
  } catch {
    return scrub(line);
  }
}

/** The start of each secret shape. */
const starts = [
  'parley_',
  'sk-',
  'bearer',
  'sessionid',
  'basic',
  'whsec_',
  'cGFybGV5X',
  'BhcmxleV',
  'YXJsZXlf',
  '7061726c65795f',
];
const start = new RegExp(starts.join('|'), 'iy');
const ascii = 128;
/** The first two characters of each start, in every spelling. */
const pairs = new Uint8Array(ascii * ascii);
for (const [first = '', second = ''] of starts)
  for (const one of [first.toLowerCase(), first.toUpperCase()])
    for (const other of [second.toLowerCase(), second.toUpperCase()])
      pairs[one.charCodeAt(0) * ascii + other.charCodeAt(0)] = 1;
const [quote, colon, backslash, atSign, bracket, brace] = Buffer.from('":\\@[{');

/**
 * Whether a line certainly needs no redaction: it contains no start of a secret, no escape that
 * could hide one, no user of a URL, only harmless names, and is not too deep. This settles most
 * lines, at a fraction of the cost of parsing them or of regular expressions.
 */
function isHarmless(line: string): boolean {
  let depth = 0;
  let isInText = false;
  let textStart = 0;
  let before = 0;
  for (let n = 0; n < line.length; n += 1) {
    const code = line.charCodeAt(n);
    if (code === backslash || code === atSign) return false;
    if (code === quote) {
      if (isInText && line.charCodeAt(n + 1) === colon && !isHarmlessName(line.slice(textStart, n)))
        return false;
      isInText = !isInText;
      textStart = n + 1;
    } else if (code === brace || code === bracket) {
      depth += 1;
      if (depth >= deepest) return false;
    } else if (code < ascii && before < ascii && pairs[before * ascii + code] === 1) {
      start.lastIndex = n - 1;
      if (start.test(line)) return false;
    }
    before = code;
  }
  return true;
}

/** All but a few field names come from the code itself. */
const harmlessNames = new Set<string>();
const maxNames = 1000;

function isHarmlessName(name: string): boolean {
  if (harmlessNames.has(name)) return true;
  const known = plain(name);
  if (secretNames.has(known) || secretEnding.test(known) || urlName.test(known)) return false;
  if (harmlessNames.size < maxNames) harmlessNames.add(name);
  return true;
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, redactField(name, field, depth + 1)]),
  );
}

function redactField(name: string, value: unknown, depth: number): unknown {
  const known = plain(name);
  if (value !== null && (secretNames.has(known) || secretEnding.test(known))) return redacted;
  if (typeof value === 'string' && urlName.test(known)) return scrub(withoutQuery(value));
  return redact(value, depth);
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, '');
}

/** Normalizes x-api-key, X_API_KEY and xApiKey to one name. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
