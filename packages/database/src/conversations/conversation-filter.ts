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
const failures = sql.join(failedEnds.map((end) => sql.lit(end)));

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

/** The rows of a table that give their conversation an outcome. */
type Rows = {
  readonly table: 'tool_calls' | 'realtime_sessions' | 'runs';
  readonly condition: RawBuilder<unknown>;
};

const signs = {
  waiting: [{ table: 'tool_calls', condition: sql`approval = 'waiting'` }],
  open: [
    { table: 'realtime_sessions', condition: sql`ended_at is null` },
    { table: 'runs', condition: sql`state in ('open', 'waiting')` },
  ],
  failed: [
    { table: 'realtime_sessions', condition: sql`end_reason in (${failures})` },
    { table: 'runs', condition: sql`state = 'failed'` },
  ],
} as const satisfies Partial<Record<ConversationOutcome, readonly Rows[]>>;

/** Each conversation has one outcome: the first of these that applies, otherwise `completed`. */
const order = Object.keys(signs) as (keyof typeof signs)[];

/** Negations stand alone, so that PostgreSQL joins, however many rows there are. */
function hasOutcome(scope: OrganizationScope, outcome: ConversationOutcome): RawBuilder<boolean> {
  const earlier = outcome === 'completed' ? order : order.slice(0, order.indexOf(outcome));
  const conditions = earlier.flatMap((name) =>
    signs[name].map((rows) => sql`not ${hasRow(scope, rows)}`),
  );
  if (outcome !== 'completed') conditions.push(sql`(${hasSign(scope, outcome)})`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** The outcome of each row of conversations. */
export function outcomeColumn(scope: OrganizationScope): RawBuilder<ConversationOutcome> {
  const cases = order.map((name) => sql`when ${hasSign(scope, name)} then ${sql.lit(name)}`);
  return sql<ConversationOutcome>`case ${sql.join(cases, sql` `)} else 'completed' end`;
}

function hasSign(scope: OrganizationScope, outcome: keyof typeof signs) {
  const found = signs[outcome].map((rows) => hasRow(scope, rows));
  return sql.join(found, sql` or `);
}

/** Looks at the rows of the conversation alone: all of an organization's may be too many to gather. */
function hasRow({ organizationId }: OrganizationScope, { table, condition }: Rows) {
  return sql`exists (select from ${sql.table(table)}
    where organization_id = ${organizationId} and conversation_id = conversations.id
      and ${condition})`;
}
