import type { FoundText, Refusal } from '../content-inspector.js';

/** The output of an examining process. */
export type Examined =
  | ({ readonly kind: 'text' } & FoundText)
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function refused(refusal: Refusal): Examined {
  return { kind: 'refused', refusal };
}
