import type { Static, TSchema } from '@sinclair/typebox';

/** A schema and one value of it. */
export function of<S extends TSchema>(schema: S, value: Static<S>): [TSchema, unknown] {
  return [schema, value];
}
