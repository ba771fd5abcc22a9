import {
  bootstrapOrganization,
  findApiKeyByHash,
  holdAgents,
  insertAgent,
  insertApiKey,
  insertOrganization,
  type AgentFields,
  type Database,
} from '@parley/database';
import { hashApiKey, isUuid, type Tool } from '@parley/protocol';
import { StartupError } from '@parley/service-kit';
import type { Credentials } from './data-dir.js';

export type SeedOptions = {
  database: Database;
  baseUrl: string;
  kept: Credentials | undefined;
  bootstrap: { organizationId: string | undefined; apiKey: string | undefined };
};

/** Makes sure that there is an organization, a key that works and an agent to talk to; what is there already stays. */
export async function seed({
  database,
  baseUrl,
  kept,
  bootstrap,
}: SeedOptions): Promise<Credentials> {
  if (bootstrap.organizationId !== undefined && !isUuid(bootstrap.organizationId))
    throw new StartupError('BOOTSTRAP_ORG_ID must be a UUID');
  const { organizationId, apiKey } =
    bootstrap.organizationId === undefined
      ? await demoOrganization(database, kept)
      : await configuredOrganization(
          database,
          { ...bootstrap, organizationId: bootstrap.organizationId.toLowerCase() },
          kept,
        );
  const agentId = await demoAgentOf(database, organizationId, kept?.agentId);
  return { baseUrl, organizationId, apiKey, agentId };
}

type Access = { organizationId: string; apiKey: string };

async function demoOrganization(
  database: Database,
  kept: Credentials | undefined,
): Promise<Access> {
  return database.asSystem(async (system) => {
    const known = kept && (await findApiKeyByHash(system, hashApiKey(kept.apiKey)));
    if (kept && known && !known.revokedAt && known.organizationId === kept.organizationId)
      return kept;
    const { id: organizationId } = await insertOrganization(system, { name: 'Demo' });
    const { key } = await insertApiKey(system, {
      organizationId,
      name: 'demo',
      environment: 'demo',
    });
    return { organizationId, apiKey: key };
  });
}

async function configuredOrganization(
  database: Database,
  wanted: { organizationId: string; apiKey: string | undefined },
  kept: Credentials | undefined,
): Promise<Access> {
  const { organizationId, apiKey } = wanted;
  await bootstrapOrganization(database, {
    organizationId,
    organizationName: 'Demo',
    apiKey,
    keyName: 'bootstrap',
  });
  if (apiKey !== undefined) return { organizationId, apiKey };
  if (kept?.organizationId === organizationId) return kept;
  const { key } = await database.asSystem((system) =>
    insertApiKey(system, { organizationId, name: 'demo', environment: 'demo' }),
  );
  return { organizationId, apiKey: key };
}

async function demoAgentOf(
  database: Database,
  organizationId: string,
  keptId: string | undefined,
): Promise<string> {
  return database.inOrganization(organizationId, async (scope) => {
    if (keptId !== undefined && (await holdAgents(scope, [keptId])).has(keptId)) return keptId;
    return insertAgent(scope, demoAgent);
  });
}

/** Its tools need nothing outside; one of them asks a person first. */
const demoTools: Tool[] = [
  { kind: 'builtin', name: 'current_time', title: 'Looking at the clock' },
  { kind: 'builtin', name: 'search_conversation', title: 'Searching this conversation' },
  { kind: 'builtin', name: 'create_task', title: 'Creating a task', approvalRequired: true },
];

const demoAgent: AgentFields = {
  name: 'Demo agent',
  description: 'Tells the time, remembers what was said, and creates tasks once you approve them.',
  systemMessage:
    'You are Parley’s demo agent. Answer briefly and kindly. Use your tools when they help, and say what you did.',
  connectionId: null,
  model: null,
  textModel: null,
  voice: 'alloy',
  icon: 'sparkles',
  iconColor: '#1a56c4',
  imageUrl: null,
  realtimeEnabled: true,
  tools: demoTools,
};
