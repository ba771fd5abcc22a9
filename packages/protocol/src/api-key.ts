import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key has the form `parley_<environment>_<43 base62 characters><6 characters of checksum>`.
 * The checksum lets scanners recognise a leaked key. A deployment may bring a key of another form
 * (BOOTSTRAP_API_KEY). Only the SHA-256 of a key is ever stored.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = /^parley_([a-z0-9]{1,16})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export function newApiKey(environment: string): string {
  if (!/^[a-z0-9]{1,16}$/.test(environment))
    throw new RangeError('A key’s environment is 1 to 16 lower-case letters or digits.');
  const secret = base62(43);
  return `parley_${environment}_${secret}${checksum(`${environment}_${secret}`)}`;
}

export function isApiKey(text: string): boolean {
  const match = keyPattern.exec(text);
  return match !== null && checksum(`${match[1] ?? ''}_${match[2] ?? ''}`) === match[3];
}

/**
 * How long a process may rely on a key that it has looked up. A change of a key is complete when
 * every process knows of it, or when this time has passed.
 */
export const keyRememberedMs = 2_000;

export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/**
 * What may be shown of a key later: enough to recognise it, not enough to use it. In a key of
 * another form, any part may be the secret.
 */
export function maskApiKey(key: string): string {
  const prefix = isApiKey(key) ? key.slice(0, key.lastIndexOf('_') + 1) : '';
  return `${prefix}…${key.slice(-4)}`;
}

function base62(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length))
      // 248 is the largest multiple of 62 in a byte: above it, letters would not be equally likely.
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
  return text;
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < 6; i += 1) {
    digits = alphabet.charAt(value % 62) + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
