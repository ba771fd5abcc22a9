import { Type } from '@sinclair/typebox';
import { quotaNames } from '../quotas.js';
import { OneOf } from './text.js';

export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'Where the error is documented.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What is wrong with this request, and what to do.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          { path: Type.String(), message: Type.String() },
          { additionalProperties: false },
        ),
      ),
    ),
    quota: Type.Optional(OneOf(quotaNames, { description: 'The quota that was reached.' })),
  },
  { additionalProperties: false },
);
