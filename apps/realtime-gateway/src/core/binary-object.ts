import { isWholeObject } from './event-type.js';

/**
 * Encodings in which a lenient JSON parser finds an object: the width of a character, and the
 * offset of its low byte.
 */
const encodings = [
  { width: 1, low: 0 },
  { width: 2, low: 0 },
  { width: 2, low: 1 },
  { width: 4, low: 0 },
  { width: 4, low: 3 },
] as const;

type Encoding = (typeof encodings)[number];

const [openObject, closeObject] = [0x7b, 0x7d];
const marks = ['efbbbf', 'fffe0000', '0000feff', 'fffe', 'feff'].map((hex) =>
  Buffer.from(hex, 'hex'),
);
/**
 * Replaces every non-ASCII character: those only occur inside strings, and only the ends of strings
 * matter here.
 */
const other = 0x78;

/**
 * Whether a binary frame is a JSON object in UTF-8, or in UTF-16 or UTF-32 of either byte order,
 * with or without a byte order mark. Audio is ruled out by its first and last bytes.
 */
export function holdsObject(data: Buffer): boolean {
  if (encodings.some((encoding) => isObjectIn(data, encoding))) return true;
  const mark = marks.find((bytes) => bytes.every((byte, at) => data[at] === byte));
  if (!mark) return false;
  const rest = data.subarray(mark.length);
  return encodings.some((encoding) => isObjectIn(rest, encoding));
}

function isObjectIn(data: Buffer, encoding: Encoding): boolean {
  const { width } = encoding;
  let first = 0;
  while (isSpace(characterAt(data, first, encoding))) first += width;
  if (characterAt(data, first, encoding) !== openObject) return false;
  let last = data.length - width;
  while (isSpace(characterAt(data, last, encoding))) last -= width;
  if (characterAt(data, last, encoding) !== closeObject) return false;
  return isWholeObject(width === 1 ? data : narrowed(data, encoding));
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function characterAt(data: Buffer, at: number, { width, low }: Encoding): number {
  for (let index = 0; index < width; index += 1)
    if (index !== low && data[at + index] !== 0) return other;
  return data[at + low] ?? other;
}

/** One byte for each character. */
function narrowed(data: Buffer, encoding: Encoding): Buffer {
  const text = Buffer.alloc(Math.floor(data.length / encoding.width));
  for (let at = 0; at < text.length; at += 1)
    text[at] = characterAt(data, at * encoding.width, encoding);
  return text;
}
