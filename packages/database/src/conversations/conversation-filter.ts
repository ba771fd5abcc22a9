import { sql, type RawBuilder } from 'kysely';
import { failedEnds, type ConversationOutcome } from '@parley/protocol';
import type { OrganizationScope } from '../postgres/database.js';

/** Omitted fields do not filter. */
export type ConversationFilter = {
  agentId?: string | undefined;
  /** Words that one message contains, each matched by prefix. */
  search?: string | undefined;
  /** When the conversation began. */
  from?: Date | undefined;
  to?: Date | undefined;
  outcome?: ConversationOutcome | undefined;
};

const maxWords = 8;

/** The organization's conversations that match a filter, without passing ones. */
export function ownConversations(scope: OrganizationScope, filter: ConversationFilter) {
  const { organizationId, trx } = scope;
  const { agentId, search, from, to, outcome } = filter;
  let list = trx
    .selectFrom('conversations')
    .where('organizationId', '=', organizationId)
    .where('keeping', '=', 'kept');
  if (agentId !== undefined) list = list.where('agentId', '=', agentId);
  if (from !== undefined) list = list.where('createdAt', '>=', from);
  if (to !== undefined) list = list.where('createdAt', '<', to);
  if (search !== undefined) list = list.where(sql<boolean>`id in (${withWords(search)})`);
  if (outcome !== undefined) list = list.where(hasOutcome(scope, outcome));
  return list;
}

/**
 * Ids of conversations with a message that contains all the words. Punctuation alone matches
 * nothing.
 */
function withWords(search: string) {
  const words = search.split(/\s+/).filter(Boolean).slice(0, maxWords);
  const wanted = words.map((word) => `'${word.replaceAll(/['\\]/g, '$&$&')}':*`).join(' & ');
  return sql`select conversations_with(to_tsquery('simple', ${wanted}))`;
}

/** Ids of conversations with each outcome; they are few, and each has its own index. */
const sets = {
  waiting: ({ organizationId }) =>
    sql`select conversation_id from tool_calls
        where organization_id = ${organizationId} and approval = 'waiting'`,
  open: ({ organizationId }) =>
    sql`select conversation_id from realtime_sessions
        where organization_id = ${organizationId} and ended_at is null
        union all
        select conversation_id from runs
        where organization_id = ${organizationId} and state in ('open', 'waiting')`,
  failed: ({ organizationId }) =>
    sql`select conversation_id from realtime_sessions
        where organization_id = ${organizationId} and end_reason in (${sql.join(failedEnds.map((end) => sql.lit(end)))})
        union all
        select conversation_id from runs
        where organization_id = ${organizationId} and state = 'failed'`,
} as const satisfies Partial<
  Record<ConversationOutcome, (scope: OrganizationScope) => RawBuilder<unknown>>
>;

/** Each conversation has one outcome: the first of these that applies, otherwise `completed`. */
const order = Object.keys(sets) as (keyof typeof sets)[];

function hasOutcome(scope: OrganizationScope, outcome: ConversationOutcome): RawBuilder<boolean> {
  const earlier = outcome === 'completed' ? order : order.slice(0, order.indexOf(outcome));
  const conditions = earlier.map((name) => sql`id not in (${sets[name](scope)})`);
  if (outcome !== 'completed') conditions.push(sql`id in (${sets[outcome](scope)})`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** The outcome of each row of conversations. */
export function outcomeColumn(scope: OrganizationScope): RawBuilder<ConversationOutcome> {
  const cases = order.map(
    (name) => sql`when conversations.id in (${sets[name](scope)}) then ${sql.lit(name)}`,
  );
  return sql<ConversationOutcome>`case ${sql.join(cases, sql` `)} else 'completed' end`;
}
