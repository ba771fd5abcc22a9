import { ParleyError } from '../errors.js';

/** The error for an invalid argument. */
export function wrongArgument(message: string, cause?: unknown): ParleyError {
  return new ParleyError('argument-invalid', message, { cause });
}

/**
 * Only accepts characters that cannot start another header. The value may be a secret, so the error
 * does not contain it.
 */
export function headerValue(name: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  throw wrongArgument(`${name} must be a string of visible ASCII characters.`);
}

/** setTimeout fires immediately if the delay is longer. */
const longestTimeout = 2 ** 31 - 1;

export function timeoutMs(value: number): number {
  if (value > 0 && value <= longestTimeout) return value;
  throw wrongArgument(`timeoutMs must be more than 0 and at most ${longestTimeout}.`);
}

export function maxRetries(value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw wrongArgument('maxRetries must be a non-negative integer.');
}
