import { isUtf8 } from 'node:buffer';
import { randomFillSync } from 'node:crypto';

const keyBytes = 4;
const beyondAscii = 0x80808080;

/** As much as Node reads from a socket at once. */
const size = 64 * 1024;

/**
 * A copy of a chunk, in which frames are read. The originals stay unchanged, so whatever is not
 * forwarded can still go to ws. One buffer serves all sessions, because nothing stays in it; its
 * bytes are processed four at a time.
 */
export const plain = Buffer.from(new ArrayBuffer(size));
const words = new Int32Array(plain.buffer);
const key = new Uint8Array(keyBytes);
const keyWord = new Int32Array(key.buffer);

/** False if the chunk is too long. */
export function copyToPlain(chunk: Buffer): boolean {
  if (chunk.length > size) return false;
  plain.set(chunk);
  return true;
}

/** Whether a payload in the copy is valid UTF-8, after removing its mask, if any. */
export function readPlain(from: number, to: number, masked: boolean): boolean {
  return isAscii(from, to, masked) || isUtf8(plain.subarray(from, to));
}

function isAscii(from: number, to: number, masked: boolean): boolean {
  const firstWhole = Math.min(to, (from + 3) & ~3);
  const lastWhole = Math.max(firstWhole, to & ~3);
  setKey(from, firstWhole, masked);
  const seen =
    unmaskBytes(from, firstWhole, firstWhole) |
    unmaskWords(firstWhole >> 2, lastWhole >> 2) |
    unmaskBytes(lastWhole, to, firstWhole);
  return (seen & beyondAscii) === 0;
}

/** The key of the payload at `from`, rotated so that its first byte applies to the byte at `at`. */
function setKey(from: number, at: number, masked: boolean): void {
  for (let n = 0; n < keyBytes; n += 1)
    key[n] = masked ? (plain[from - keyBytes + ((at - from + n) & 3)] ?? 0) : 0;
}

function unmaskWords(from: number, to: number): number {
  const mask = keyWord[0] ?? 0;
  let seen = 0;
  for (let word = from; word < to; word += 1) {
    const bytes = (words[word] ?? 0) ^ mask;
    words[word] = bytes;
    seen |= bytes;
  }
  return seen;
}

function unmaskBytes(from: number, to: number, turnedTo: number): number {
  let seen = 0;
  for (let at = from; at < to; at += 1) {
    const byte = (plain[at] ?? 0) ^ (key[(at - turnedTo) & 3] ?? 0);
    plain[at] = byte;
    seen |= byte;
  }
  return seen;
}

const keys = Buffer.alloc(2048 * keyBytes);
let nextKey = keys.length;

/**
 * Masks the payload between these positions of a chunk with a new key. With the sender's key, the
 * sender could choose the bytes on the wire to the provider, which masking exists to prevent.
 */
export function mask(chunk: Buffer, from: number, to: number): void {
  if (nextKey === keys.length) {
    randomFillSync(keys);
    nextKey = 0;
  }
  const at = from - keyBytes;
  const a = exchange(chunk, at, nextKey);
  const b = exchange(chunk, at + 1, nextKey + 1);
  const c = exchange(chunk, at + 2, nextKey + 2);
  const d = exchange(chunk, at + 3, nextKey + 3);
  nextKey += keyBytes;
  let index = from;
  for (const last = to - 3; index < last; index += keyBytes) {
    chunk[index] = (chunk[index] ?? 0) ^ a;
    chunk[index + 1] = (chunk[index + 1] ?? 0) ^ b;
    chunk[index + 2] = (chunk[index + 2] ?? 0) ^ c;
    chunk[index + 3] = (chunk[index + 3] ?? 0) ^ d;
  }
  if (index < to) chunk[index] = (chunk[index] ?? 0) ^ a;
  if (index + 1 < to) chunk[index + 1] = (chunk[index + 1] ?? 0) ^ b;
  if (index + 2 < to) chunk[index + 2] = (chunk[index + 2] ?? 0) ^ c;
}

/**
 * Replaces one byte of a key. Returns what converts a byte masked with the old key to one masked
 * with the new.
 */
function exchange(chunk: Buffer, at: number, newAt: number): number {
  const before = chunk[at] ?? 0;
  const after = keys[newAt] ?? 0;
  chunk[at] = after;
  return before ^ after;
}
