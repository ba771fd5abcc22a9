import { isWholeObject } from './event-type.js';

const openObject = 0x7b;
const spaces = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Encodings in which a lenient reader of JSON finds an object: how wide a character is, and where its low byte stands. */
const encodings = [
  { width: 1, low: 0 },
  { width: 2, low: 0 },
  { width: 2, low: 1 },
  { width: 4, low: 0 },
  { width: 4, low: 3 },
] as const;

/** Whether a binary frame is a JSON object, in UTF-8, or in UTF-16 or UTF-32 of either order; a mark of the order may go before it. */
export function holdsObject(data: Buffer): boolean {
  return encodings.some((encoding) => {
    const start = startOf(data, encoding);
    return start !== undefined && isWholeObject(narrowed(data.subarray(start), encoding));
  });
}

type Encoding = (typeof encodings)[number];

/** Where the first character is, if it can begin an object. Sound is turned away here, by its first bytes. */
function startOf(data: Buffer, { width, low }: Encoding): number | undefined {
  if (data.length < 2 * width) return undefined;
  const mark = marks.find((bytes) => bytes.length % width === 0 && data.indexOf(bytes) === 0);
  for (const start of [0, mark?.length ?? 0]) {
    const first = data.subarray(start, start + width);
    const byte = first[low] ?? 0;
    const plain = first.every((other, at) => at === low || other === 0);
    if (plain && (byte === openObject || spaces.has(byte))) return start;
  }
  return undefined;
}

const marks = ['efbbbf', 'fffe0000', '0000feff', 'fffe', 'feff'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

/** One byte for each character: what is not ASCII is inside of strings, and only their ends matter here. */
function narrowed(data: Buffer, { width, low }: Encoding): Buffer {
  if (width === 1) return data;
  const text = Buffer.alloc(Math.floor(data.length / width));
  for (let at = 0; at < text.length; at += 1) {
    const character = data.subarray(at * width, (at + 1) * width);
    const plain = character.every((byte, index) => index === low || byte === 0);
    text[at] = plain ? (character[low] ?? 0) : 0x78;
  }
  return text;
}
