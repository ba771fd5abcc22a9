import { sql, type RawBuilder } from 'kysely';
import { failedEnds } from '@parley/protocol';
import type { OrganizationScope } from '../postgres/database.js';

/** The usage in one interval. */
export type IntervalUsage = {
  sessions: number;
  minutes: number;
  tokensIn: number;
  tokensOut: number;
  toolCalls: number;
  approvals: { approved: number; rejected: number; expired: number; cancelled: number };
  errors: number;
};

export type UsageRange = {
  /** The start of each interval, in order. */
  readonly starts: readonly Date[];
  /** The end of the last one. */
  readonly end: Date;
  /** Only the usage of this agent's conversations, including the agents that it asked. */
  readonly agentId?: string | undefined;
};

const approvalEnds = ['approved', 'rejected', 'expired', 'cancelled'] as const;

type Counts = Omit<IntervalUsage, 'approvals' | 'errors'> &
  IntervalUsage['approvals'] & { lostSessions: number; failedCalls: number; lostQuestions: number };

const nothing: Counts = {
  sessions: 0,
  minutes: 0,
  tokensIn: 0,
  tokensOut: 0,
  toolCalls: 0,
  approved: 0,
  rejected: 0,
  expired: 0,
  cancelled: 0,
  lostSessions: 0,
  failedCalls: 0,
  lostQuestions: 0,
};

/** The usage in each interval of the range. Everything counts in the interval in which it began. */
export async function usageOverTime(
  scope: OrganizationScope,
  range: UsageRange,
): Promise<IntervalUsage[]> {
  const counted = range.starts.map(() => ({ ...nothing }));
  for (const query of [sessionsIn, tokensIn, callsIn, failedQuestionsIn]) {
    const { rows } = await query(scope, range).execute(scope.trx);
    for (const { interval, ...counts } of rows) Object.assign(counted[interval - 1] ?? {}, counts);
  }
  return counted.map(usageFrom);
}

function usageFrom({ lostSessions, failedCalls, lostQuestions, ...counts }: Counts): IntervalUsage {
  const { approved, rejected, expired, cancelled, ...rest } = counts;
  return {
    ...rest,
    approvals: { approved, rejected, expired, cancelled },
    errors: lostSessions + failedCalls + lostQuestions,
  };
}

type Query = RawBuilder<Partial<Counts> & { interval: number }>;

function sessionsIn({ organizationId }: OrganizationScope, range: UsageRange): Query {
  return sql`select ${intervalOf('started_at', range)} as interval, count(*) as sessions,
               round(sum(extract(epoch from coalesce(ended_at, now()) - started_at))::numeric / 60, 2)::float8 as minutes,
               count(*) filter (where end_reason = any(${failedEnds})) as lost_sessions
        from realtime_sessions
        where organization_id = ${organizationId} and ${within('started_at', range)}
          ${range.agentId === undefined ? sql`` : sql`and agent_id = ${range.agentId}`}
        group by 1`;
}

function tokensIn({ organizationId }: OrganizationScope, range: UsageRange): Query {
  return sql`select ${intervalOf('created_at', range)} as interval,
               sum(input_text_tokens + input_audio_tokens)::bigint as tokens_in,
               sum(output_text_tokens + output_audio_tokens)::bigint as tokens_out
        from usage_records
        where organization_id = ${organizationId} and ${within('created_at', range)}
          ${inConversationsOf(organizationId, range)}
        group by 1`;
}

function callsIn({ organizationId }: OrganizationScope, range: UsageRange): Query {
  const decided = approvalEnds.map(
    (approval) => sql`count(*) filter (where approval = ${approval}) as ${sql.ref(approval)}`,
  );
  return sql`select ${intervalOf('created_at', range)} as interval, count(*) as tool_calls,
               count(*) filter (where status = 2 and started_at is not null) as failed_calls,
               ${sql.join(decided)}
        from tool_calls
        where organization_id = ${organizationId} and ${within('created_at', range)}
          ${inConversationsOf(organizationId, range)}
        group by 1`;
}

function failedQuestionsIn({ organizationId }: OrganizationScope, range: UsageRange): Query {
  return sql`select ${intervalOf('created_at', range)} as interval, count(*) as lost_questions
        from runs
        where organization_id = ${organizationId} and state = 'failed' and ${within('created_at', range)}
          ${range.agentId === undefined ? sql`` : sql`and agent_id = ${range.agentId}`}
        group by 1`;
}

/** The number of the interval that contains a time, counted from 1. */
function intervalOf(column: string, { starts }: UsageRange) {
  return sql`width_bucket(${sql.ref(column)}, ${starts}::timestamptz[])`;
}

function within(column: string, { starts, end }: UsageRange) {
  return sql`${sql.ref(column)} >= ${starts[0]} and ${sql.ref(column)} < ${end}`;
}

function inConversationsOf(organizationId: string, { agentId }: UsageRange) {
  return agentId === undefined
    ? sql``
    : sql`and conversation_id in (select id from conversations
            where organization_id = ${organizationId} and agent_id = ${agentId})`;
}
