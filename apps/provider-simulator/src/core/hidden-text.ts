// There is no speech recogniser here. Speech made by the simulator's own voice carries its text in
// the lowest bit of every sample, over and over, so any piece of it that is long enough can be read
// back exactly, in whatever process and however it was cut into frames. It cannot be heard.
//
//   | mark (32 bits) | bytes of text (16 bits) | UTF-8 text | checksum (16 bits) |
import { bytesPerSample, type AudioFormat } from './audio-format.js';

const mark = 0x9e3779b1;
const headerBits = 48;
const checksumBits = 16;
const longestText = 0xffff;

/** Hides `text` in the sound, in place. Sound that is too short for it is left alone. */
export function hideText(bytes: Buffer, format: AudioFormat, text: string): void {
  const bits = bitsOf(text);
  const step = bytesPerSample(format);
  if (bits.length > bytes.length / step) return;
  for (let at = 0, i = 0; at + step <= bytes.length; at += step, i = (i + 1) % bits.length)
    bytes[at] = ((bytes[at] ?? 0) & 0xfe) | (bits[i] ?? 0);
}

/** The text hidden in the sound, if there is any. */
export function findText(bytes: Buffer, format: AudioFormat): string | undefined {
  const step = bytesPerSample(format);
  const count = Math.floor(bytes.length / step);
  const bit = (i: number): number => (bytes[i * step] ?? 0) & 1;
  let window = 0;
  for (let i = 0; i < count; i++) {
    window = ((window << 1) | bit(i)) >>> 0;
    if (window !== mark) continue;
    const text = readAt(i + 1, count, bit);
    if (text !== undefined) return text;
  }
  return undefined;
}

function readAt(start: number, count: number, bit: (i: number) => number): string | undefined {
  const read = (from: number, length: number): number => {
    let value = 0;
    for (let i = from; i < from + length; i++) value = (value << 1) | bit(i);
    return value;
  };
  const length = read(start, 16);
  const textStart = start + 16;
  const textEnd = textStart + length * 8;
  if (textEnd + checksumBits > count) return undefined;
  const text = Buffer.alloc(length);
  for (let i = 0; i < length; i++) text[i] = read(textStart + i * 8, 8);
  return checksum(text) === read(textEnd, checksumBits) ? text.toString('utf8') : undefined;
}

function bitsOf(text: string): Uint8Array {
  const body = Buffer.from(text, 'utf8').subarray(0, longestText);
  const bits = new Uint8Array(headerBits + body.length * 8 + checksumBits);
  let at = 0;
  const put = (value: number, length: number): void => {
    for (let i = length - 1; i >= 0; i--) bits[at++] = (value >>> i) & 1;
  };
  put(mark, 32);
  put(body.length, 16);
  for (const byte of body) put(byte, 8);
  put(checksum(body), checksumBits);
  return bits;
}

function checksum(bytes: Buffer): number {
  let sum = 0x1d0f;
  for (const byte of bytes) sum = (Math.imul(sum, 31) + byte) & 0xffff;
  return sum;
}
