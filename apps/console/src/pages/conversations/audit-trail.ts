import type { AuditRecord, ConversationDetails, Parley } from '@parley/client/server';

export type Trail = {
  readonly records: readonly AuditRecord[];
  /** Whether all records from the time of the conversation were searched. */
  readonly whole: boolean;
};

/** Whether a record is about the conversation, one of its sessions, or something created in it. */
export function concerns(
  record: Pick<AuditRecord, 'resourceId' | 'before' | 'after'>,
  { id, sessions }: Pick<ConversationDetails, 'id' | 'sessions'>,
): boolean {
  const { resourceId, before, after } = record;
  if (resourceId === id || sessions.some((session) => session.id === resourceId)) return true;
  return [before, after].some((state) => state?.conversationId === id);
}

const pages = 5;
const limit = 200;
const marginMs = 10 * 60_000;

/**
 * The log cannot be filtered by conversation, so read the records from its time and drop unrelated
 * ones.
 */
export async function readTrail(
  parley: Pick<Parley, 'audit'>,
  conversation: ConversationDetails,
): Promise<Trail> {
  const from = new Date(Date.parse(conversation.createdAt) - marginMs).toISOString();
  const to = new Date(Date.parse(conversation.updatedAt) + marginMs).toISOString();
  const records: AuditRecord[] = [];
  for (let page = 0; page < pages; page++) {
    const { items, total } = await parley.audit.list({ from, to, offset: page * limit, limit });
    records.push(...items.filter((record) => concerns(record, conversation)));
    if ((page + 1) * limit >= total) return { records, whole: true };
  }
  return { records, whole: false };
}
