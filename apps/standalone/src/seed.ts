import {
  appendAudit,
  bootstrapOrganization,
  createKey,
  createOrganization,
  findApiKeyByHash,
  findOrganization,
  holdAgents,
  insertAgent,
  issueSignInLink,
  obtainOwner,
  signInUrl,
  type AgentFields,
  type ApiKeyRecord,
  type Database,
  type SystemScope,
} from '@parley/database';
import { hashApiKey, type Tool } from '@parley/protocol';
import { StartupError } from '@parley/service-kit';
import type { Credentials } from './data-dir.js';

export type SeedOptions = {
  database: Database;
  baseUrl: string;
  kept: Credentials | undefined;
  bootstrap: {
    organizationId: string | undefined;
    apiKey: string | undefined;
    owner: { email: string; password: string | undefined } | undefined;
  };
};

/**
 * Makes sure that there is an organization, a working key and an agent to talk to; existing ones
 * are kept.
 */
export async function seed({
  database,
  baseUrl,
  kept,
  bootstrap,
}: SeedOptions): Promise<{ credentials: Credentials; consoleUrl: string }> {
  if (bootstrap.organizationId !== undefined) {
    const wanted = {
      ...bootstrap,
      organizationId: bootstrap.organizationId,
      organizationName: 'Demo',
      keyName: 'bootstrap',
    };
    if (!(await bootstrapOrganization(database, wanted)))
      throw new StartupError(
        'The organization in BOOTSTRAP_ORG_ID was deleted. Choose another id.',
      );
  }
  const { organizationId, keptKey } = await database.asSystem(async (system) => ({
    organizationId: await organizationOf(system, bootstrap.organizationId ?? kept?.organizationId),
    keptKey: kept && (await findApiKeyByHash(system, hashApiKey(kept.apiKey))),
  }));
  const keptWorks = keptKey?.organizationId === organizationId && isUsable(keptKey);
  const apiKey =
    bootstrap.apiKey ??
    (kept && keptWorks ? kept.apiKey : await newKeyOf(database, organizationId));
  const agentId = await demoAgentOf(database, organizationId, kept?.agentId);
  const credentials = { baseUrl, organizationId, apiKey, agentId };
  return { credentials, consoleUrl: await signInUrlOf(database, credentials) };
}

function isUsable({ revokedAt, expiresAt }: ApiKeyRecord): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > new Date());
}

/** Whoever starts the server can sign in as its owner, once, within minutes. */
async function signInUrlOf(
  database: Database,
  { organizationId, baseUrl }: Credentials,
): Promise<string> {
  return database.asSystem(async ({ trx }) => {
    const scope = { organizationId, trx };
    const owner = await obtainOwner(scope, { email: 'owner@localhost' });
    return signInUrl(baseUrl, await issueSignInLink(scope, owner));
  });
}

async function organizationOf(system: SystemScope, id: string | undefined): Promise<string> {
  const there = id === undefined ? undefined : await findOrganization(system, id);
  return there?.id ?? createOrganization(system, { name: 'Demo' });
}

async function newKeyOf(database: Database, organizationId: string): Promise<string> {
  const fields = { organizationId, name: 'demo', environment: 'demo' };
  return database.asSystem((system) => createKey(system, fields));
}

async function demoAgentOf(
  database: Database,
  organizationId: string,
  keptId: string | undefined,
): Promise<string> {
  return database.inOrganization(organizationId, async (scope) => {
    if (keptId !== undefined && (await holdAgents(scope, [keptId])).has(keptId)) return keptId;
    const id = await insertAgent(scope, demoAgent);
    await appendAudit(scope, {
      actor: { kind: 'system', name: 'bootstrap' },
      action: 'agent.created',
      resourceType: 'agent',
      resourceId: id,
      after: { id, ...demoAgent },
    });
    return id;
  });
}

/** Its tools need nothing external; one of them requires approval. */
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
