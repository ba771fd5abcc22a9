import { Type } from '@sinclair/typebox';
import { Uuid } from './text.js';

export const EventQuery = Type.Object(
  {
    OrgId: Type.Optional(
      Uuid({
        description:
          'In place of X-Org-Id, for a browser’s EventSource, which cannot send custom headers.',
      }),
    ),
  },
  { additionalProperties: false },
);
