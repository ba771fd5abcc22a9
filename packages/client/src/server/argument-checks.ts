import { ParleyError } from '../errors.js';

/** What this package was called with is not what it takes. */
export function wrongArgument(message: string, cause?: unknown): ParleyError {
  return new ParleyError('argument-invalid', message, { cause });
}

/** What can stand in a header, and nothing that would begin another one. The value may be a secret, so it is not told. */
export function headerValue(name: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  throw wrongArgument(`${name} must be a text of visible ASCII characters.`);
}

/** setTimeout takes what is longer for nothing at all. */
const longestTimeout = 2 ** 31 - 1;

export function timeoutMs(value: number): number {
  if (value > 0 && value <= longestTimeout) return value;
  throw wrongArgument(`timeoutMs must be more than 0 and at most ${longestTimeout}.`);
}

export function maxRetries(value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw wrongArgument('maxRetries must be 0 or a whole number above it.');
}
