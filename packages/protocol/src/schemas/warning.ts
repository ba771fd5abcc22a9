import { Type, type Static } from '@sinclair/typebox';
import { OneOf } from './text.js';

/** A side effect of a change. */
export const Warning = Type.Object(
  {
    code: OneOf(['secret-dropped', 'secret-replaced']),
    path: Type.String({
      description: 'The field concerned, as a JSON pointer into the request body.',
    }),
    message: Type.String({ description: 'What happened, and what to do.' }),
  },
  { additionalProperties: false },
);
export type Warning = Static<typeof Warning>;

export const warnings = Type.Optional(
  Type.Array(Warning, {
    description:
      'Side effects of the change; absent if there are none. A stored secret is dropped when the change would send it to another origin and does not include it.',
  }),
);
