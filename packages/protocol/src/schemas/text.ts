import { Type, type Static, type StringOptions, type TSchema } from '@sinclair/typebox';
import { uuidPattern } from '../ids.js';

export const Uuid = (options: StringOptions = {}) =>
  Type.String({
    pattern: uuidPattern,
    examples: ['3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11'],
    ...options,
  });

export const DateTime = (options: StringOptions = {}) =>
  Type.String({ format: 'date-time', ...options });

/** Text that is not blank. */
export const Name = (maxLength: number, options: StringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', ...options });

export const HttpUrl = (options: StringOptions = {}) =>
  Type.String({ maxLength: 2048, format: 'http-url', ...options });

/** One of a few values: an enum, so that the error message lists them all. */
export const OneOf = <const Words extends readonly string[]>(words: Words, options: object = {}) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: words, ...options });

/**
 * A value or null, as one schema, so that a mistake gives one error and not one per alternative.
 */
export const Nullable = <S extends TSchema>(schema: S, options: object = {}) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema['type'], 'null'], ...options });
