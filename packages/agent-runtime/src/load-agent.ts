import {
  findSealedAgent,
  findSubagents,
  secretContext,
  SecretUnreadable,
  type OrganizationScope,
  type RunnableAgent,
  type SealedAgent,
  type SealedConnection,
  type SecretBox,
  type Subagent,
  type Transactor,
} from '@parley/database';
import { redactor, type ConnectionKind, type Redact, type Tool } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';

export type LoadedAgent = {
  readonly agent: RunnableAgent;
  readonly tools: readonly Tool[];
  readonly secrets: ReadonlyMap<string, string>;
  /** Hides these secrets in what other servers answer. */
  readonly redact: Redact;
  /** The agents that it may ask, by id. */
  readonly subagents: ReadonlyMap<string, Subagent>;
  /** Null means the deployment's default connection; 'unusable' means a disabled one. */
  readonly connection: OwnConnection | null | 'unusable';
  /** What a session uses instead if that fails, in order: only what is enabled for realtime. */
  readonly fallbacks: readonly FallbackConnection[];
};

export type OwnConnection = ProviderConnection & {
  /** Whether it may be used for sessions. */
  readonly realtime: boolean;
};

export type FallbackConnection = OwnConnection & {
  readonly id: string;
  /** The models that it offers; none means any. */
  readonly models: readonly string[];
};

export type AgentSource = { readonly database: Transactor; readonly secretBox: SecretBox };

/** Undefined if the organization has no such agent, or no longer has it. */
export async function loadAgent(
  { database, secretBox }: AgentSource,
  organizationId: string,
  agentId: string,
): Promise<LoadedAgent | undefined> {
  return database.inOrganization(organizationId, async (scope) => {
    const agent = await findSealedAgent(scope, agentId);
    return agent && unsealAgent(scope, agent, secretBox);
  });
}

/** The same for an agent that was already found, in its transaction. */
export async function unsealAgent(
  scope: OrganizationScope,
  { agent, secrets, connections }: SealedAgent,
  secretBox: SecretBox,
): Promise<LoadedAgent> {
  const tools = agent.tools as Tool[];
  return {
    agent,
    tools,
    ...secretsOf(agent, secrets, secretBox),
    subagents: await subagentsOf(scope, tools),
    connection: openOwnConnection(agent.connectionId, connections, secretBox),
    fallbacks: openFallbacks(agent, connections, secretBox),
  };
}

/** Shared by all agents that have none, because every open session keeps its agent. */
const none: ReadonlyMap<string, never> = new Map<string, never>();

type Secrets = Pick<LoadedAgent, 'secrets' | 'redact'>;

/** Sessions that share a version of an agent share its secrets. */
const opened = new WeakMap<RunnableAgent, Secrets>();

function secretsOf(
  agent: RunnableAgent,
  sealed: SealedAgent['secrets'],
  secretBox: SecretBox,
): Secrets {
  const known = opened.get(agent);
  if (known) return known;
  const secrets = openSecrets(agent.id, sealed, secretBox);
  const own = { secrets, redact: redactor(secrets.values()) };
  opened.set(agent, own);
  return own;
}

/** A secret that cannot be decrypted is treated as missing: the tools that need it report that. */
function openSecrets(
  agentId: string,
  sealed: SealedAgent['secrets'],
  secretBox: SecretBox,
): ReadonlyMap<string, string> {
  if (sealed.length === 0) return none;
  const secrets = new Map<string, string>();
  for (const { name, secret } of sealed)
    try {
      const context = secretContext.agent(agentId, name);
      secrets.set(name, secretBox.open(Buffer.from(secret, 'base64'), context));
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
    }
  return secrets;
}

async function subagentsOf(
  scope: OrganizationScope,
  tools: readonly Tool[],
): Promise<LoadedAgent['subagents']> {
  const ids = tools.flatMap((tool) => (tool.kind === 'subagent' ? [tool.agentId] : []));
  if (ids.length === 0) return none;
  return new Map((await findSubagents(scope, ids)).map((agent) => [agent.id, agent]));
}

function openOwnConnection(
  id: string | null,
  sealed: SealedAgent['connections'],
  secretBox: SecretBox,
): LoadedAgent['connection'] {
  if (id === null) return null;
  const own = sealed.find((connection) => connection.id === id);
  return own?.enabled ? openConnection(own, secretBox) : 'unusable';
}

/** A fallback whose secret cannot be decrypted is treated as missing. */
function openFallbacks(
  { fallbackConnectionIds, connectionId }: RunnableAgent,
  sealed: SealedAgent['connections'],
  secretBox: SecretBox,
): FallbackConnection[] {
  const fallbacks: FallbackConnection[] = [];
  for (const id of fallbackConnectionIds)
    try {
      const found = id === connectionId ? undefined : sealed.find((each) => each.id === id);
      if (!found?.enabled || !found.realtime) continue;
      fallbacks.push({ ...openConnection(found, secretBox), id, models: found.models });
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
    }
  return fallbacks;
}

function openConnection(
  { id, kind, baseUrl, realtime, secret: sealed }: SealedConnection,
  secretBox: SecretBox,
): OwnConnection {
  const secret =
    sealed === null
      ? null
      : secretBox.open(Buffer.from(sealed, 'base64'), secretContext.connection(id));
  return { kind: kind as ConnectionKind, baseUrl, secret, realtime };
}
