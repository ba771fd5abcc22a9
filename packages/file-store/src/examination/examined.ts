import type { FoundText, Refusal } from '../content-inspector.js';

/** What an examining process prints. */
export type Examined =
  ({ readonly kind: 'text' } & FoundText) | { readonly kind: 'refused'; readonly refusal: Refusal };

export function refused(refusal: Refusal): Examined {
  return { kind: 'refused', refusal };
}
