import {
  findAgent,
  findAgentSecrets,
  findConnection,
  findConnectionSecret,
  secretContext,
  SecretUnreadable,
  type AgentRecord,
  type Transactor,
  type OrganizationScope,
  type SecretBox,
} from '@parley/database';
import type { ConnectionKind, Tool } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';

export type LoadedAgent = {
  readonly agent: AgentRecord;
  readonly tools: readonly Tool[];
  readonly secrets: ReadonlyMap<string, string>;
  /** The agents that it may ask, by id. */
  readonly subagents: ReadonlyMap<string, AgentRecord>;
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
    const agent = await findAgent(scope, agentId);
    return agent && loadFound(scope, agent, secretBox);
  });
}

/** The same for an agent that was already found, in its transaction. */
export async function loadFound(
  scope: OrganizationScope,
  agent: AgentRecord,
  secretBox: SecretBox,
): Promise<LoadedAgent> {
  const tools = agent.tools as Tool[];
  return {
    agent,
    tools,
    secrets: await openSecrets(scope, agent.id, secretBox),
    subagents: await findSubagents(scope, tools),
    connection: await findOwnConnection(scope, agent, secretBox),
    fallbacks: await findFallbacks(scope, agent, secretBox),
  };
}

/** A secret that cannot be decrypted is treated as missing: the tools that need it report that. */
async function openSecrets(
  scope: OrganizationScope,
  agentId: string,
  secretBox: SecretBox,
): Promise<Map<string, string>> {
  const secrets = new Map<string, string>();
  for (const { name, secret } of await findAgentSecrets(scope, agentId))
    try {
      secrets.set(name, secretBox.open(secret, secretContext.agent(agentId, name)));
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
    }
  return secrets;
}

async function findSubagents(
  scope: OrganizationScope,
  tools: readonly Tool[],
): Promise<Map<string, AgentRecord>> {
  const found = new Map<string, AgentRecord>();
  for (const tool of tools) {
    const agent = tool.kind === 'subagent' ? await findAgent(scope, tool.agentId) : undefined;
    if (agent) found.set(agent.id, agent);
  }
  return found;
}

async function findOwnConnection(
  scope: OrganizationScope,
  { connectionId }: AgentRecord,
  secretBox: SecretBox,
): Promise<LoadedAgent['connection']> {
  if (connectionId === null) return null;
  const found = await openConnection(scope, connectionId, secretBox);
  if (!found) return 'unusable';
  const { id, models, ...connection } = found;
  return connection;
}

/** A fallback whose secret cannot be decrypted is treated as missing. */
async function findFallbacks(
  scope: OrganizationScope,
  { fallbackConnectionIds, connectionId }: AgentRecord,
  secretBox: SecretBox,
): Promise<FallbackConnection[]> {
  const fallbacks: FallbackConnection[] = [];
  for (const id of fallbackConnectionIds)
    try {
      const found = id === connectionId ? undefined : await openConnection(scope, id, secretBox);
      if (found?.realtime) fallbacks.push(found);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
    }
  return fallbacks;
}

/** Undefined if it is disabled. */
async function openConnection(
  scope: OrganizationScope,
  id: string,
  secretBox: SecretBox,
): Promise<FallbackConnection | undefined> {
  const connection = await findConnection(scope, id);
  if (!connection?.enabled) return undefined;
  const sealed = await findConnectionSecret(scope, id);
  const secret = sealed && secretBox.open(sealed, secretContext.connection(id));
  const { baseUrl, realtime, models } = connection;
  return { id, kind: connection.kind as ConnectionKind, baseUrl, secret, realtime, models };
}
