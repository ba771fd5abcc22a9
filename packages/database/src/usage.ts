import type { OrganizationScope } from './database.js';
import type { UsageRecordTable } from './schema.js';

/** As the provider counts: cached tokens are among the input's text and audio tokens. */
export type TokenCounts = {
  inputTextTokens: number;
  inputAudioTokens: number;
  inputCachedTokens: number;
  outputTextTokens: number;
  outputAudioTokens: number;
  /** Of transcribed sound, where that is what is billed. */
  seconds: number;
};

export type NewUsage = TokenCounts &
  Pick<UsageRecordTable, 'conversationId' | 'sessionId' | 'source' | 'sourceId' | 'model'> & {
    /** Of a question, where it is not a session's. */
    runId?: string | null;
  };

/** Adds each response and transcription once, however often it is told. */
export async function insertUsage(
  { organizationId, trx }: OrganizationScope,
  records: readonly NewUsage[],
): Promise<void> {
  if (records.length === 0) return;
  await trx
    .insertInto('usageRecords')
    .values(records.map((record) => ({ ...record, organizationId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
