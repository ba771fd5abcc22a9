import { Type, type Static } from '@sinclair/typebox';
import { Nullable, OneOf } from './text.js';

export const ToolTrialInput = Type.Object(
  {
    arguments: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        default: {},
        description: 'What the tool is called with, as the model would send it.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const SentRequest = Type.Object(
  {
    method: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    body: Nullable(Type.String({ description: 'Cut off where it is long.' })),
  },
  {
    additionalProperties: false,
    description: 'A request as it was sent; `[secret]` stands where a secret of the agent stood.',
  },
);

export const trialStatuses = ['succeeded', 'failed', 'refused', 'timedOut'] as const;

export const ToolTrial = Type.Object(
  {
    request: Nullable(SentRequest, {
      description:
        'The request of an HTTP tool, or the one that called the tool of an MCP server; null for built-in tools and where nothing was sent.',
    }),
    result: Type.Object(
      {
        status: OneOf(trialStatuses, {
          description:
            '`refused`: the arguments do not fit the tool’s parameters, and it was not run.',
        }),
        output: Type.String({ description: 'What the model would read.' }),
      },
      { additionalProperties: false },
    ),
    durationMs: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type ToolTrial = Static<typeof ToolTrial>;
