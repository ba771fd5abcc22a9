import { sql, type Selectable } from 'kysely';
import type { QuotaLimits } from '@parley/protocol';
import { usableOpener, type OpenedBy } from '../access/openers.js';
import { quotasOfAgent, tokensTodayOfAgent } from '../organizations/quotas.js';
import type { OrganizationScope } from '../postgres/database.js';
import { prepare } from '../postgres/prepared.js';
import type { ConnectionTable } from '../postgres/schema.js';
import { liveAgent, type AgentRecord } from './agents.js';

const runnable = [
  'id',
  'name',
  'systemMessage',
  'connectionId',
  'fallbackConnectionIds',
  'model',
  'textModel',
  'realtimeEnabled',
  'tools',
  'updatedAt',
] as const;

/** What it takes to run an agent. */
export type RunnableAgent = Pick<AgentRecord, (typeof runnable)[number]> & {
  /** The transaction that wrote it: another one after any change, also one by hand. */
  readonly writtenBy: string;
};

/** An agent with everything that it needs to run, its secrets still encrypted. */
export type SealedAgent = {
  readonly agent: RunnableAgent;
  /** In base64, like the secrets of connections. */
  readonly secrets: readonly { readonly name: string; readonly secret: string }[];
  /** Its own connection and its fallbacks. */
  readonly connections: readonly SealedConnection[];
};

export type SealedConnection = Pick<
  Selectable<ConnectionTable>,
  'id' | 'kind' | 'baseUrl' | 'models' | 'realtime' | 'enabled'
> & { readonly secret: string | null };

/** The same, with what admission has to know of the organization and the conversation. */
export type AdmissibleAgent = SealedAgent & {
  readonly isOpenerUsable: boolean;
  /** Tokens that the organization has used today. */
  readonly tokensToday: number;
  readonly quotas: Partial<QuotaLimits>;
  /** The position of the conversation's last message; 0 in a new conversation. */
  readonly lastPosition: number;
};

const sealed = [
  ...runnable,
  sql<string>`agents.xmin::text`.as('writtenBy'),
  sql<SealedAgent['secrets']>`(
    select coalesce(jsonb_agg(jsonb_build_object('name', name, 'secret', encode(secret, 'base64'))), '[]')
    from agent_secrets s
    where s.organization_id = agents.organization_id and s.agent_id = agents.id
  )`.as('secrets'),
  sql<SealedAgent['connections']>`(
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'baseUrl', base_url,
      'models', models, 'realtime', realtime, 'enabled', enabled,
      'secret', encode(secret, 'base64'))), '[]')
    from connections c
    where c.organization_id = agents.organization_id
      and c.id = any (agents.connection_id || agents.fallback_connection_ids)
  )`.as('connections'),
];

const sealedAgent = prepare<{ organizationId: string; id: string }>()(
  'sealed-agent',
  (trx, { organizationId, id }) => liveAgent({ organizationId, trx }, id).select(sealed),
);

export async function findSealedAgent(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<SealedAgent | undefined> {
  const [found] = await sealedAgent.run(trx, { organizationId, id });
  if (!found) return undefined;
  const { secrets, connections, ...agent } = found;
  return { agent, secrets, connections };
}

type Admission = Required<OpenedBy> & {
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
};

const admissibleAgent = prepare<Admission>()(
  'admissible-agent',
  (trx, { organizationId, agentId, conversationId, keyId, memberId }) =>
    liveAgent({ organizationId, trx }, agentId)
      .select(sealed)
      .select([
        usableOpener(organizationId, { keyId, memberId }).as('isOpenerUsable'),
        tokensTodayOfAgent.as('tokensToday'),
        quotasOfAgent.as('quotas'),
        sql<number>`coalesce((
          select max(position) from messages m
          where m.organization_id = ${organizationId} and m.conversation_id = ${conversationId}
        ), 0)`.as('lastPosition'),
      ])
      .forKeyShare('agents'),
);

/** The agent cannot be deleted until the transaction ends. */
export async function holdAdmissibleAgent(
  { organizationId, trx }: OrganizationScope,
  admission: OpenedBy & { readonly agentId: string; readonly conversationId: string },
): Promise<AdmissibleAgent | undefined> {
  const { agentId, conversationId, keyId, memberId = null } = admission;
  const ids = { organizationId, agentId, conversationId, keyId, memberId };
  const [found] = await admissibleAgent.run(trx, ids);
  if (!found) return undefined;
  const { secrets, connections, isOpenerUsable, tokensToday, quotas, lastPosition, ...agent } =
    found;
  return { agent, secrets, connections, isOpenerUsable, tokensToday, quotas, lastPosition };
}
