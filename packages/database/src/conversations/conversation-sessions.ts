import { sql, type Selectable } from 'kysely';
import type { OrganizationScope } from '../postgres/database.js';
import type { RealtimeSessionTable } from '../postgres/schema.js';

export type ModelUsage = {
  model: string;
  inputTextTokens: number;
  inputAudioTokens: number;
  inputCachedTokens: number;
  outputTextTokens: number;
  outputAudioTokens: number;
  transcriptionSeconds: number;
};

export type ConversationSession = Pick<
  Selectable<RealtimeSessionTable>,
  'id' | 'startedAt' | 'endedAt' | 'endReason' | 'closeCode'
> & { usage: ModelUsage[] };

/**
 * The sessions of a conversation, oldest first, and its usage per model: for each session, and in
 * total, including questions.
 */
export async function sessionsOfConversation(
  scope: OrganizationScope,
  conversationId: string,
): Promise<{ sessions: ConversationSession[]; usage: ModelUsage[] }> {
  const { organizationId, trx } = scope;
  const usage = await usageBySession(scope, conversationId);
  const rows = await trx
    .selectFrom('realtimeSessions')
    .select(['id', 'startedAt', 'endedAt', 'endReason', 'closeCode'])
    .where('organizationId', '=', organizationId)
    .where('conversationId', '=', conversationId)
    .orderBy('startedAt')
    .orderBy('id')
    .execute();
  return {
    sessions: rows.map((row) => ({ ...row, usage: usage.get(row.id) ?? [] })),
    usage: usage.get(wholeConversation) ?? [],
  };
}

/** Replaces a session's id in PostgreSQL's grand total. */
const wholeConversation = 'whole';

async function usageBySession(
  { organizationId, trx }: OrganizationScope,
  conversationId: string,
): Promise<Map<string, ModelUsage[]>> {
  const rows = await trx
    .selectFrom('usageRecords')
    .select([
      sql<string>`case grouping(session_id) when 1 then ${wholeConversation} else coalesce(session_id::text, 'questions') end`.as(
        'sessionId',
      ),
      'model',
      sql<number>`sum(input_text_tokens)::bigint`.as('inputTextTokens'),
      sql<number>`sum(input_audio_tokens)::bigint`.as('inputAudioTokens'),
      sql<number>`sum(input_cached_tokens)::bigint`.as('inputCachedTokens'),
      sql<number>`sum(output_text_tokens)::bigint`.as('outputTextTokens'),
      sql<number>`sum(output_audio_tokens)::bigint`.as('outputAudioTokens'),
      // As decimals, so that 0.1 and 0.2 add up to 0.3.
      sql<number>`sum(seconds::numeric)::double precision`.as('transcriptionSeconds'),
    ])
    .where('organizationId', '=', organizationId)
    .where('conversationId', '=', conversationId)
    .groupBy(sql`grouping sets ((session_id, model), (model))`)
    .orderBy('model')
    .execute();
  const bySession = new Map<string, ModelUsage[]>();
  for (const { sessionId, ...usage } of rows)
    bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), usage]);
  return bySession;
}
