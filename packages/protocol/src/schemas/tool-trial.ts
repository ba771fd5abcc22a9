import { Type, type Static } from '@sinclair/typebox';
import { Nullable, OneOf } from './text.js';

export const ToolTrialInput = Type.Object(
  {
    arguments: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        default: {},
        description: 'The arguments to call the tool with, as the model would send them.',
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
    body: Nullable(Type.String({ description: 'Truncated if it is long.' })),
  },
  {
    additionalProperties: false,
    description: 'A request as it was sent, with `[secret]` in place of the agent’s secrets.',
  },
);

export const trialStatuses = ['succeeded', 'failed', 'refused', 'timedOut'] as const;

export const ToolTrial = Type.Object(
  {
    request: Nullable(SentRequest, {
      description:
        'The request of an HTTP tool, or the one that called the tool of an MCP server; null for built-in tools and if nothing was sent.',
    }),
    result: Type.Object(
      {
        status: OneOf(trialStatuses, {
          description:
            '`refused`: the arguments do not match the tool’s parameters, and it did not run.',
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
