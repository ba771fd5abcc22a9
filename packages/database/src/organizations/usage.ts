import { sql } from 'kysely';
import type { OrganizationScope } from '../postgres/database.js';
import type { UsageRecordTable } from '../postgres/schema.js';

/** As the provider counts: cached tokens are part of the input's text and audio tokens. */
export type TokenCounts = {
  inputTextTokens: number;
  inputAudioTokens: number;
  inputCachedTokens: number;
  outputTextTokens: number;
  outputAudioTokens: number;
  /** Of transcribed audio, if that is how it is billed. */
  seconds: number;
};

export type NewUsage = TokenCounts &
  Pick<UsageRecordTable, 'conversationId' | 'sessionId' | 'source' | 'sourceId' | 'model'> & {
    /** The question it belongs to, if not a session. */
    runId?: string | null;
  };

/** Adds each response and transcription once, however often it is reported. */
export async function insertUsage(
  { organizationId, trx }: OrganizationScope,
  records: readonly NewUsage[],
): Promise<void> {
  if (records.length === 0) return;
  const added = await trx
    .insertInto('usageRecords')
    .values(records.map((record) => ({ ...record, organizationId })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['inputTextTokens', 'inputAudioTokens', 'outputTextTokens', 'outputAudioTokens'])
    .execute();
  const counts = added.flatMap((usage) => Object.values(usage));
  const tokens = counts.reduce((sum, count) => sum + Math.max(0, count), 0);
  if (tokens > 0) await countToday({ organizationId, trx }, tokens);
}

/** The cost of one question so far. */
export async function usageOfRun(
  { organizationId, trx }: OrganizationScope,
  runId: string,
): Promise<Pick<TokenCounts, 'inputTextTokens' | 'inputCachedTokens' | 'outputTextTokens'>> {
  const sum = (column: 'inputTextTokens' | 'inputCachedTokens' | 'outputTextTokens') =>
    sql<number>`coalesce(sum(${sql.ref(column)}), 0)::float8`.as(column);
  return trx
    .selectFrom('usageRecords')
    .select([sum('inputTextTokens'), sum('inputCachedTokens'), sum('outputTextTokens')])
    .where('organizationId', '=', organizationId)
    .where('runId', '=', runId)
    .executeTakeFirstOrThrow();
}

/**
 * The last step of a transaction, because all of an organization's sessions and questions write
 * this row.
 */
async function countToday(
  { organizationId, trx }: OrganizationScope,
  tokens: number,
): Promise<void> {
  await trx
    .insertInto('usageDays')
    .values({ organizationId, day: today, tokens })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'day'])
        .doUpdateSet({ tokens: sql<number>`usage_days.tokens + excluded.tokens` }),
    )
    .execute();
}

/** The day that quotas are counted by. */
export const today = sql<Date>`(now() at time zone 'utc')::date`;
