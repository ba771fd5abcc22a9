import { Type } from '@sinclair/typebox';
import { Uuid } from './text.js';

export const EventQuery = Type.Object(
  {
    OrgId: Type.Optional(
      Uuid({
        description:
          'In place of X-Org-Id, for the EventSource of a browser, which sends no headers of its own.',
      }),
    ),
  },
  { additionalProperties: false },
);
