import { sql, type Insertable, type Selectable } from 'kysely';
import type { QuotaLimits } from '@parley/protocol';
import type { OrganizationScope, Transactor } from '../postgres/database.js';
import { prepare } from '../postgres/prepared.js';
import {
  idsAmong,
  leadingRows,
  longPage,
  restOf,
  withoutSizes,
  type LongPage,
  type LongRows,
  type PageIds,
} from '../postgres/long-rows.js';
import { pageIds, type PageRequest } from '../postgres/page.js';
import type { AgentTable, ConnectionTable } from '../postgres/schema.js';
import { quotasOfAgent, tokensTodayOfAgent } from '../organizations/quotas.js';

export type AgentRecord = Omit<Selectable<AgentTable>, 'organizationId' | 'deletedAt'> & {
  secretNames: string[];
};

export type AgentFields = Omit<
  Insertable<AgentTable>,
  'id' | 'organizationId' | 'version' | 'createdAt' | 'updatedAt' | 'deletedAt' | 'tools'
> & { tools: unknown[] };

const columns = [
  'agents.id',
  'agents.name',
  'agents.description',
  'agents.systemMessage',
  'agents.connectionId',
  'agents.fallbackConnectionIds',
  'agents.model',
  'agents.textModel',
  'agents.voice',
  'agents.turnDetection',
  'agents.outputModalities',
  'agents.icon',
  'agents.iconColor',
  'agents.imageUrl',
  'agents.realtimeEnabled',
  'agents.tools',
  'agents.version',
  'agents.createdAt',
  'agents.updatedAt',
] as const;

const secretNames = sql<string[]>`array(
  select name from agent_secrets where agent_secrets.agent_id = agents.id order by name
)`.as('secretNames');

/** `search` matches names and descriptions, case-insensitively. */
export type AgentListRequest = PageRequest & { search?: string | undefined };

export async function listAgents(
  scope: OrganizationScope,
  { search, ...page }: AgentListRequest,
): Promise<LongPage<AgentRecord>> {
  const list = foundAgents(scope, search);
  return longPage(list, { orderedBy, ...page }, (ids) => readRows(scope, ids));
}

/** The page as a transaction of its own. Most callers ask for the first one, without a search. */
export async function readAgents(
  database: Pick<Transactor, 'read' | 'inSnapshot'>,
  organizationId: string,
  asked: AgentListRequest,
): Promise<LongPage<AgentRecord>> {
  const { offset, limit, search } = asked;
  const inSnapshot = () => database.inSnapshot(organizationId, (scope) => listAgents(scope, asked));
  if (offset > 0 || search !== undefined) return inSnapshot();
  const rows = await database.read(organizationId, firstAgents, { organizationId, limit });
  const items = rows.map(withoutSizes).map(({ total: _total, ...record }) => record);
  const total = rows[0]?.total ?? 0;
  return restOf(asked, { items, total }) ? inSnapshot() : { items, total, rest: [] };
}

/** Each row has the total, too: one statement instead of three round trips. */
const firstAgents = prepare<{ organizationId: string; limit: number }>()(
  'first-agents',
  (trx, { organizationId, limit }) => {
    const scope = { organizationId, trx };
    const total = liveAgents(scope).select(sql<number>`count(*)`.as('total'));
    const ids = pageIds(liveAgents(scope), { orderedBy, total: 0, offset: 0, limit });
    return leadingRows(trx, agentsIn(scope, ids).select(total.as('total')), longRows);
  },
);

/** The leading agents of a page of `total`. */
export function agentPage(
  scope: OrganizationScope,
  { search, ...page }: AgentListRequest,
  total: number,
) {
  return leadingAgents(scope, pageIds(foundAgents(scope, search), { orderedBy, total, ...page }));
}

/** The leading agents of those with the given ids, which may have been deleted since. */
export async function agentsByIds(
  scope: OrganizationScope,
  ids: readonly string[],
): Promise<AgentRecord[]> {
  return readRows(scope, idsAmong(liveAgents(scope), ids));
}

const orderedBy = 'createdAt';
const longRows = {
  orderedBy: [orderedBy, 'id'],
  long: ['systemMessage', 'tools'],
} as const satisfies LongRows<AgentRecord>;

async function readRows(scope: OrganizationScope, ids: PageIds): Promise<AgentRecord[]> {
  return (await leadingAgents(scope, ids).execute()).map(withoutSizes);
}

function leadingAgents(scope: OrganizationScope, ids: PageIds) {
  return leadingRows(scope.trx, agentsIn(scope, ids), longRows);
}

function agentsIn({ trx }: OrganizationScope, ids: PageIds) {
  return trx
    .selectFrom('agents')
    .innerJoin(ids.as('page'), 'page.id', 'agents.id')
    .select([...columns, secretNames]);
}

/** All agents, with no more than identifies them. */
export async function nameAgents(
  scope: OrganizationScope,
): Promise<Pick<AgentRecord, 'id' | 'name' | 'createdAt'>[]> {
  return liveAgents(scope)
    .select(['id', 'name', 'createdAt'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

function liveAgents({ organizationId, trx }: OrganizationScope) {
  return trx
    .selectFrom('agents')
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null);
}

export function liveAgent(scope: OrganizationScope, id: string) {
  return liveAgents(scope).where('id', '=', id);
}

function foundAgents(scope: OrganizationScope, search: string | undefined) {
  if (search === undefined) return liveAgents(scope);
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return liveAgents(scope).where((where) =>
    where.or([where('name', 'ilike', pattern), where('description', 'ilike', pattern)]),
  );
}

type AgentPlace = { organizationId: string; id: string };

/** At most one. */
export const agentById = prepare<AgentPlace>()('agent', (trx, { organizationId, id }) =>
  selectAgent({ organizationId, trx }, id),
);

const issued = [
  'id',
  'name',
  'createdAt',
  'model',
  'voice',
  'turnDetection',
  'outputModalities',
  'realtimeEnabled',
] as const;

/**
 * What issuing a session, or presenting an agent as a model, needs to know about it, its connection
 * and its organization. The texts and tools of an agent, which can be long, are not read.
 */
export type IssuableAgent = Pick<AgentRecord, (typeof issued)[number]> & {
  toolNames: string[];
  connection: Pick<
    Selectable<ConnectionTable>,
    'kind' | 'baseUrl' | 'models' | 'realtime' | 'enabled'
  > | null;
  /** Tokens that the organization has used today. */
  tokensToday: number;
  quotas: Partial<QuotaLimits>;
};

/** At most one. */
export const issuableAgentById = prepare<AgentPlace>()(
  'issuable-agent',
  (trx, { organizationId, id }) =>
    liveAgent({ organizationId, trx }, id).select([
      ...issued,
      sql<string[]>`jsonb_path_query_array(agents.tools, '$[*].name')`.as('toolNames'),
      sql<IssuableAgent['connection']>`(
          select jsonb_build_object('kind', kind, 'baseUrl', base_url, 'models', models,
            'realtime', realtime, 'enabled', enabled)
          from connections c
          where c.organization_id = agents.organization_id and c.id = agents.connection_id
        )`.as('connection'),
      tokensTodayOfAgent.as('tokensToday'),
      quotasOfAgent.as('quotas'),
    ]),
);

export async function findIssuableAgent(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<IssuableAgent | undefined> {
  const [agent] = await issuableAgentById.run(trx, { organizationId, id });
  return agent;
}

export async function findAgent(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<AgentRecord | undefined> {
  const [agent] = await agentById.run(trx, { organizationId, id });
  return agent;
}

const agentId = prepare<AgentPlace>()('agent-id', (trx, { organizationId, id }) =>
  liveAgent({ organizationId, trx }, id).select('id'),
);

export async function hasAgent(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<boolean> {
  return (await agentId.run(trx, { organizationId, id })).length > 0;
}

const asked = ['id', 'name', 'description', 'icon', 'iconColor'] as const;

/** What those who may ask an agent have to know about it. */
export type Subagent = Pick<AgentRecord, (typeof asked)[number]>;

const subagents = prepare<{ organizationId: string; ids: readonly string[] }>()(
  'subagents',
  (trx, { organizationId, ids }) =>
    liveAgents({ organizationId, trx })
      .select(asked)
      .where(sql<boolean>`id = any(${ids}::uuid[])`),
);

export async function findSubagents(
  { organizationId, trx }: OrganizationScope,
  ids: readonly string[],
): Promise<Subagent[]> {
  return subagents.run(trx, { organizationId, ids });
}

/**
 * For a change: nobody else can change the agent until the transaction ends. Agents that call it
 * may still be saved.
 */
export async function lockAgent(
  scope: OrganizationScope,
  id: string,
): Promise<AgentRecord | undefined> {
  return selectAgent(scope, id).forNoKeyUpdate().executeTakeFirst();
}

/** For a deletion: also waits for those that hold the agent, and prevents new holds. */
export async function lockAgentToDelete(
  scope: OrganizationScope,
  id: string,
): Promise<AgentRecord | undefined> {
  return selectAgent(scope, id).forUpdate().executeTakeFirst();
}

export async function insertAgent(scope: OrganizationScope, fields: AgentFields): Promise<string> {
  const { id } = await scope.trx
    .insertInto('agents')
    .values({
      ...fields,
      organizationId: scope.organizationId,
      tools: JSON.stringify(fields.tools),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateAgent(
  scope: OrganizationScope,
  { id, ...fields }: AgentFields & { id: string },
): Promise<void> {
  await scope.trx
    .updateTable('agents')
    .set({
      ...fields,
      tools: JSON.stringify(fields.tools),
      version: sql`version + 1`,
      updatedAt: sql`now()`,
    })
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

/**
 * The row stays for the conversations that refer to it. Its secrets and its hold on connections do
 * not.
 */
export async function deleteAgent(scope: OrganizationScope, id: string): Promise<void> {
  const { organizationId, trx } = scope;
  await trx
    .deleteFrom('agentSecrets')
    .where('organizationId', '=', organizationId)
    .where('agentId', '=', id)
    .execute();
  await trx
    .updateTable('agents')
    .set({ deletedAt: sql`now()`, connectionId: null, fallbackConnectionIds: [] })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Sets the secrets that have a value, and removes those that are null. */
export async function changeAgentSecrets(
  { organizationId, trx }: OrganizationScope,
  agentId: string,
  changes: ReadonlyMap<string, Buffer | null>,
): Promise<void> {
  for (const [name, secret] of changes) {
    if (secret)
      await trx
        .insertInto('agentSecrets')
        .values({ agentId, organizationId, name, secret })
        .onConflict((conflict) => conflict.columns(['agentId', 'name']).doUpdateSet({ secret }))
        .execute();
    else
      await trx
        .deleteFrom('agentSecrets')
        .where('organizationId', '=', organizationId)
        .where('agentId', '=', agentId)
        .where('name', '=', name)
        .execute();
  }
}

/**
 * Which of the given ids are live agents of the organization. Nobody can delete those until the
 * transaction ends.
 */
export async function holdAgents(
  scope: OrganizationScope,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await liveAgents(scope).select('id').where('id', 'in', ids).forKeyShare().execute();
  return new Set(rows.map(({ id }) => id));
}

/** Names of agents that call the given one as a sub-agent. */
export async function callersOfAgent(scope: OrganizationScope, id: string): Promise<string[]> {
  const call = JSON.stringify([{ kind: 'subagent', agentId: id }]);
  return namesWhere(scope, sql<boolean>`tools @> ${call}::jsonb`);
}

export async function usersOfConnection(
  scope: OrganizationScope,
  connectionId: string,
): Promise<string[]> {
  return namesWhere(
    scope,
    sql<boolean>`(connection_id = ${connectionId}
      or ${connectionId}::uuid = any (fallback_connection_ids))`,
  );
}

async function namesWhere(
  scope: OrganizationScope,
  condition: ReturnType<typeof sql<boolean>>,
): Promise<string[]> {
  const rows = await liveAgents(scope)
    .select('name')
    .where(condition)
    .orderBy('createdAt')
    .limit(5)
    .execute();
  return rows.map(({ name }) => name);
}

function selectAgent(scope: OrganizationScope, id: string) {
  return liveAgent(scope, id).select([...columns, secretNames]);
}
