import { Type, type Static } from '@sinclair/typebox';
import { quotaNames } from '../quotas.js';
import { DateTime, Nullable, OneOf, Uuid } from './text.js';

export const usageIntervals = ['hour', 'day'] as const;
export type UsageIntervalName = (typeof usageIntervals)[number];

/** Maximum number of intervals in one response. */
export const maxUsageIntervals = 1000;

export const UsageQuery = Type.Object(
  {
    From: Type.Optional(
      DateTime({
        description:
          'Start of the range; the interval that contains it counts as a whole. By default, a day before `To` for hours, or 30 days before it for days.',
      }),
    ),
    To: Type.Optional(DateTime({ description: 'End of the range, exclusive; now by default.' })),
    Interval: Type.Optional(
      OneOf(usageIntervals, { default: 'day', description: 'A UTC hour or day.' }),
    ),
    AgentId: Type.Optional(
      Uuid({
        description:
          'Only the usage of this agent’s conversations, including the sub-agents asked in them.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const UsageInterval = Type.Object(
  {
    from: DateTime({ description: 'Start of the interval, in UTC.' }),
    sessions: Count('Realtime sessions that began in it.'),
    minutes: Type.Number({
      minimum: 0,
      description: 'Total duration of these sessions, in minutes; open sessions count until now.',
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
        description: 'Outcomes of the calls that needed approval.',
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
        description: 'Usage now, or today in UTC; null if it is not counted for the organization.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const UsageReport = Type.Object(
  {
    items: Type.Array(UsageInterval, {
      description: 'Every interval of the range, oldest first, including those without usage.',
    }),
    quotas: Type.Array(QuotaUse, {
      description: 'The organization’s quotas and their current usage.',
    }),
  },
  { additionalProperties: false },
);
export type UsageReport = Static<typeof UsageReport>;
