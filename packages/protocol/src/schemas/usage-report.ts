import { Type, type Static } from '@sinclair/typebox';
import { quotaNames } from '../quotas.js';
import { DateTime, Nullable, OneOf, Uuid } from './text.js';

export const usageIntervals = ['hour', 'day'] as const;
export type UsageIntervalName = (typeof usageIntervals)[number];

/** How many intervals one answer holds at most. */
export const maxUsageIntervals = 1000;

export const UsageQuery = Type.Object(
  {
    From: Type.Optional(
      DateTime({
        description:
          'The first moment that is of interest; the interval in which it lies counts as a whole. Without it, a day before `To` in hours, or 30 days before it in days.',
      }),
    ),
    To: Type.Optional(
      DateTime({ description: 'The end, which is not of interest any more; now without it.' }),
    ),
    Interval: Type.Optional(
      OneOf(usageIntervals, { default: 'day', description: 'An hour or a day of UTC.' }),
    ),
    AgentId: Type.Optional(
      Uuid({
        description:
          'Only what conversations of this agent used, with the agents that it asked in them.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const UsageInterval = Type.Object(
  {
    from: DateTime({ description: 'When the interval begins, in UTC.' }),
    sessions: Count('Realtime sessions that began in it.'),
    minutes: Type.Number({
      minimum: 0,
      description: 'How long those sessions lasted, in minutes; those that are open until now.',
    }),
    tokensIn: Count('Tokens that models read, text and audio, cached ones included.'),
    tokensOut: Count('Tokens that models wrote or spoke.'),
    toolCalls: Count('Tool calls that models made in it.'),
    approvals: Type.Object(
      {
        approved: Count('Approved by a person.'),
        rejected: Count('Rejected by a person.'),
        expired: Count('Nobody decided in time.'),
        cancelled: Count('Not asked any more, for example since the session was over.'),
      },
      {
        additionalProperties: false,
        description: 'What came of those calls that needed approval.',
      },
    ),
    errors: Count(
      'Sessions that the service, the provider or a lost instance ended, questions without an answer, and tool calls whose tool ran and failed.',
    ),
  },
  { additionalProperties: false },
);

export const QuotaUse = Type.Object(
  {
    name: OneOf(quotaNames),
    limit: Type.Integer({ minimum: 0 }),
    used: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'Now, or today in UTC; null for what is not counted for the organization.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const UsageReport = Type.Object(
  {
    items: Type.Array(UsageInterval, {
      description:
        'Every interval of the range, oldest first, also those in which nothing was used.',
    }),
    quotas: Type.Array(QuotaUse, { description: 'What the organization may use, and uses.' }),
  },
  { additionalProperties: false },
);
export type UsageReport = Static<typeof UsageReport>;
