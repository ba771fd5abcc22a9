import { isDeepStrictEqual } from 'node:util';

/** Whether two values have the same JSON, whatever the order of their keys. */
export function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}
