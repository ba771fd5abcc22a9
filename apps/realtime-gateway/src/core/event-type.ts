const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];
const nearBytes = 16;
const nothing: Buffer = Buffer.alloc(0);
const broken = -1;

/**
 * Finds the top-level `type` of a JSON text frame without parsing the frame. It skips a string by
 * searching for its end, so an audio frame costs a few steps whatever its size, and nesting uses no
 * stack. One finder serves any number of frames, and a search allocates nothing.
 */
export class TypeFinder {
  /** The positions of the quotes around the last type found. */
  start = 0;
  end = 0;
  #data = nothing;
  #to = 0;
  #at = 0;

  /** Finds the type of a provider's frame: the first one counts, and the rest is not read. */
  first(data: Buffer, from: number, to: number): boolean {
    return this.#in(data, to).#search(from, 1) === 1;
  }

  /**
   * Finds the type of a client's frame. JSON parsers differ in which of two equal keys they use,
   * and some ignore the case of keys. So a frame with a second `type`, in whatever spelling, has
   * none.
   */
  only(data: Buffer, from: number, to: number): boolean {
    return this.#in(data, to).#search(from, Infinity) === 1;
  }

  /**
   * Whether the bytes are one object from the first brace to the last, judging by strings and
   * brackets.
   */
  isWhole(data: Buffer): boolean {
    return this.#in(data, data.length).#search(0, Infinity) !== broken;
  }

  #in(data: Buffer, to: number): this {
    this.#data = data;
    this.#to = to;
    return this;
  }

  /**
   * The number of types found; `broken` if the object is incomplete, unless `enough` types were
   * found first. One that is not a string counts twice.
   */
  #search(from: number, enough: number): number {
    const types = this.#count(from, enough);
    this.#data = nothing;
    return types;
  }

  #count(from: number, enough: number): number {
    this.#at = this.#afterSpace(from);
    if (this.#byte(this.#at) !== openObject) return broken;
    const first = this.#afterSpace(this.#at + 1);
    if (this.#byte(first) === closeObject) return this.#isEnd(first) ? 0 : broken;
    let types = 0;
    do {
      const found = this.#member();
      if (found === broken) return broken;
      types += found;
      if (types >= enough) return types;
    } while (this.#byte(this.#at) === comma);
    return this.#isEnd(this.#at) ? types : broken;
  }

  /**
   * Skips the member after the current brace or comma. Returns 1 for a type, 2 for one that is not
   * a string.
   */
  #member(): number {
    const key = this.#afterSpace(this.#at + 1);
    if (this.#byte(key) !== quote) return broken;
    const keyEnd = this.#endOfString(key);
    const separator = keyEnd < 0 ? this.#to : this.#afterSpace(keyEnd + 1);
    if (this.#byte(separator) !== colon) return broken;
    const value = this.#afterSpace(separator + 1);
    const valueEnd = this.#endOfValue(value);
    if (valueEnd < 0) return broken;
    this.#at = this.#afterSpace(valueEnd + 1);
    if (!isTypeKey(this.#data, key, keyEnd)) return 0;
    this.start = value;
    this.end = valueEnd;
    return this.#byte(value) === quote ? 1 : 2;
  }

  #isEnd(at: number): boolean {
    return this.#byte(at) === closeObject && this.#afterSpace(at + 1) === this.#to;
  }

  /** The position of the last byte of the value that starts at `start`; -1 if it has no end. */
  #endOfValue(start: number): number {
    const first = this.#byte(start);
    if (first === quote) return this.#endOfString(start);
    if (first === openObject || first === openArray) return this.#endOfNested(start);
    let at = start;
    while (at < this.#to && !endsScalar(this.#data[at])) at += 1;
    return at > start ? at - 1 : -1;
  }

  #endOfNested(start: number): number {
    let depth = 0;
    for (let at = start; at < this.#to; at += 1) {
      const byte = this.#data[at];
      if (byte === quote) {
        at = this.#endOfString(at);
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

  /** The position of the closing quote of the string that opens at `start`; -1 if there is none. */
  #endOfString(start: number): number {
    const data = this.#data;
    let at = start + 1;
    const near = Math.min(this.#to, at + nearBytes);
    for (; at < near; at += 1) {
      if (data[at] === quote) return at;
      if (data[at] === backslash) at += 1;
    }
    for (;;) {
      const end = data.indexOf(quote, at);
      if (end < 0 || end >= this.#to) return -1;
      let before = end - 1;
      while (before >= at && data[before] === backslash) before -= 1;
      if ((end - before) % 2 === 1) return end;
      at = end + 1;
    }
  }

  #afterSpace(start: number): number {
    let at = start;
    while (at < this.#to && isSpace(this.#data[at])) at += 1;
    return at;
  }

  #byte(at: number): number | undefined {
    return at < this.#to ? this.#data[at] : undefined;
  }
}

const finder = new TypeFinder();

export function isWholeObject(data: Buffer): boolean {
  return finder.isWhole(data);
}

/**
 * The text of the string with quotes at `start` and `end`; undefined if it contains an invalid
 * escape.
 */
export function textOf(data: Buffer, start: number, end: number): string | undefined {
  const written = data.toString('utf8', start + 1, end);
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return undefined;
  }
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

/**
 * Whether a key short enough to spell `type` is written with escapes, at most six bytes a letter.
 */
function isEscaped(data: Buffer, start: number, end: number): boolean {
  if (end - start > 25) return false;
  for (let at = start + 1; at < end; at += 1) if (data[at] === backslash) return true;
  return false;
}

function endsScalar(byte: number | undefined): boolean {
  return byte === comma || byte === closeObject || byte === closeArray || isSpace(byte);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
