import { Type } from '@sinclair/typebox';

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
  },
  { additionalProperties: false },
);
