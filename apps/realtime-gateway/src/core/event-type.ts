/**
 * Finds the top-level `type` of a JSON text frame without parsing the frame: strings are skipped by searching their
 * end, so an audio frame costs a few steps whatever its size, and nesting costs no stack.
 */
const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];
const nearBytes = 16;

/** The type of a provider's frame: the first one counts, and the rest is not looked at. */
export function firstType(data: Buffer): string | undefined {
  return scan(data, 'first').type;
}

/**
 * The type of a client's frame. Readers of JSON differ in which of two equal keys they take, and some ignore the case of
 * keys; so a frame with a second `type`, in whatever spelling, has none.
 */
export function onlyType(data: Buffer): string | undefined {
  return scan(data, 'all').type;
}

/** Whether the bytes are one object from its first brace to its last, as far as strings and brackets tell. */
export function isWholeObject(data: Buffer): boolean {
  return scan(data, 'all').whole;
}

type Scanned = { readonly type: string | undefined; readonly whole: boolean };
const broken: Scanned = { type: undefined, whole: false };

function scan(data: Buffer, until: 'first' | 'all'): Scanned {
  let types = 0;
  let type: string | undefined;
  let at = afterSpace(data, 0);
  if (data[at] !== openObject) return broken;
  if (data[afterSpace(data, at + 1)] === closeObject) return endAt(data, afterSpace(data, at + 1));
  do {
    const key = afterSpace(data, at + 1);
    if (data[key] !== quote) return broken;
    const keyEnd = endOfString(data, key);
    const separator = keyEnd < 0 ? -1 : afterSpace(data, keyEnd + 1);
    if (data[separator] !== colon) return broken;
    const value = afterSpace(data, separator + 1);
    const valueEnd = endOfValue(data, value);
    if (valueEnd < 0) return broken;
    if (isTypeKey(data, key, keyEnd)) {
      types += 1;
      type = types === 1 && data[value] === quote ? textOf(data, value, valueEnd) : undefined;
      if (until === 'first') return { type, whole: false };
    }
    at = afterSpace(data, valueEnd + 1);
  } while (data[at] === comma);
  return endAt(data, at, type);
}

function endAt(data: Buffer, at: number, type?: string): Scanned {
  const whole = data[at] === closeObject && afterSpace(data, at + 1) === data.length;
  return whole ? { type, whole } : broken;
}

function isTypeKey(data: Buffer, start: number, end: number): boolean {
  if (end - start === 5)
    return (
      ((data[start + 1] ?? 0) | 0x20) === 0x74 &&
      ((data[start + 2] ?? 0) | 0x20) === 0x79 &&
      ((data[start + 3] ?? 0) | 0x20) === 0x70 &&
      ((data[start + 4] ?? 0) | 0x20) === 0x65
    );
  return isEscaped(data, start, end) && textOf(data, start, end)?.toLowerCase() === 'type';
}

/** Whether a key short enough to spell `type` is written with escapes, of six bytes a letter at most. */
function isEscaped(data: Buffer, start: number, end: number): boolean {
  if (end - start > 25) return false;
  for (let at = start + 1; at < end; at += 1) if (data[at] === backslash) return true;
  return false;
}

/** The text of the string whose quotes are at `start` and `end`; undefined when an escape in it is wrong. */
function textOf(data: Buffer, start: number, end: number): string | undefined {
  const written = data.toString('utf8', start + 1, end);
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return undefined;
  }
}

/** Where the last byte of the value is that starts at `start`; -1 when it has no end. */
function endOfValue(data: Buffer, start: number): number {
  const first = data[start];
  if (first === quote) return endOfString(data, start);
  if (first === openObject || first === openArray) return endOfNested(data, start);
  let at = start;
  while (at < data.length && !endsScalar(data[at])) at += 1;
  return at > start ? at - 1 : -1;
}

function endOfNested(data: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < data.length; at += 1) {
    const byte = data[at];
    if (byte === quote) {
      at = endOfString(data, at);
      if (at < 0) return -1;
    } else if (byte === openObject || byte === openArray) {
      depth += 1;
    } else if (byte === closeObject || byte === closeArray) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** Where the closing quote is of the string that opens at `start`; -1 when there is none. */
function endOfString(data: Buffer, start: number): number {
  let at = start + 1;
  const near = Math.min(data.length, at + nearBytes);
  for (; at < near; at += 1) {
    if (data[at] === quote) return at;
    if (data[at] === backslash) at += 1;
  }
  for (;;) {
    const end = data.indexOf(quote, at);
    if (end < 0) return -1;
    let before = end - 1;
    while (before >= at && data[before] === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
    at = end + 1;
  }
}

function endsScalar(byte: number | undefined): boolean {
  return byte === comma || byte === closeObject || byte === closeArray || isSpace(byte);
}

function afterSpace(data: Buffer, start: number): number {
  let at = start;
  while (isSpace(data[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
