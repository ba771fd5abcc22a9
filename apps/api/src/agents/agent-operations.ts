import {
  agentById,
  agentsByIds,
  appendAudit,
  callersOfAgent,
  changeAgentSecrets,
  deleteAgent,
  findAgent,
  holdAgents,
  holdConnection,
  insertAgent,
  lockAgent,
  lockAgentToDelete,
  readAgents,
  secretContext,
  updateAgent,
  type AgentFields,
  type AgentRecord,
  type Database,
  type OrganizationScope,
  type SecretBox,
} from '@parley/database';
import type { QuotaGuard } from '@parley/issuing';
import {
  maxSecrets,
  Problem,
  type Agent,
  type AgentInput,
  type ChangedAgent,
  type FieldError,
  type Tool,
} from '@parley/protocol';
import type { Call, Caller, Handlers, Target } from '../http/call.js';
import { etagOf, requireMatch } from '../http/etag.js';
import { found } from '../http/found.js';
import { longPage } from '../http/long-page.js';
import { pageOf } from '../http/query.js';
import type { EndSessions } from '../sessions/end-sessions.js';
import { agentView, changedAgentFields, newAgentFields } from './agent-view.js';
import { droppedSecret, redirectedSecrets, usedSecrets } from './secret-origins.js';
import { checkTools, subagentIds } from './tool-rules.js';

export type AgentPorts = {
  database: Database;
  secretBox: SecretBox;
  defaultModel: string;
  endSessions: EndSessions;
  quotas: QuotaGuard;
};

type AgentHandlers = Pick<
  Handlers,
  'listAgents' | 'createAgent' | 'getAgent' | 'replaceAgent' | 'updateAgent' | 'deleteAgent'
>;

export function agentOperations(ports: AgentPorts): AgentHandlers {
  const { database, defaultModel } = ports;
  const inOrganization = <T>(caller: Caller, work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(caller.organizationId, work);
  const lookUp = async ({ caller, params }: Target<'getAgent'>) => {
    const { organizationId } = caller;
    const [agent] = await database.read(organizationId, agentById, {
      organizationId,
      id: params.agentId,
    });
    return agent;
  };
  const visible = async (target: Target<'getAgent'>) => (await lookUp(target)) !== undefined;

  return {
    listAgents: {
      run: async ({ caller, query }) => {
        const page = pageOf(query);
        const asked = { ...page, search: query.Search };
        const listed = await readAgents(database, caller.organizationId, asked);
        return longPage(
          { database, caller },
          {
            ...listed,
            ...page,
            idOf: ({ id }) => id,
            read: agentsByIds,
            view: (record) => agentView(record, defaultModel),
          },
        );
      },
    },
    createAgent: {
      run: ({ caller, body, commit }) => commit((scope) => create({ scope, caller, ports }, body)),
    },
    getAgent: {
      run: async ({ caller, params }) =>
        agentView(found(await lookUp({ caller, params })), defaultModel),
    },
    replaceAgent: {
      visible,
      run: ({ caller, params, body, admits }) =>
        inOrganization(caller, (scope) =>
          change({ scope, caller, ports, admits }, params.agentId, {
            input: body,
            fields: () => newAgentFields(body),
          }),
        ),
    },
    updateAgent: {
      visible,
      run: ({ caller, params, body, admits }) =>
        inOrganization(caller, (scope) =>
          change({ scope, caller, ports, admits }, params.agentId, {
            input: body,
            fields: (record) => changedAgentFields(record, body),
          }),
        ),
    },
    deleteAgent: {
      run: async ({ caller, params: { agentId }, admits }) => {
        await inOrganization(caller, (scope) => remove({ scope, caller, ports, admits }, agentId));
        await ports.endSessions(caller.organizationId, { agentId });
        return undefined;
      },
    },
  };
}

type Work = { scope: OrganizationScope; caller: Caller; ports: AgentPorts };
/** Work on an agent that the caller may have read in an older version. */
type WorkOnOne = Work & Pick<Call<'updateAgent'>, 'admits'>;

async function create(work: Work, input: AgentInput): Promise<Agent> {
  const { scope, caller, ports } = work;
  const fields = newAgentFields(input);
  await requireQuota(work, input);
  await requireSound(scope, { fields, secretNames: secretNamesAfter([], input.secrets) });
  const id = await insertAgent(scope, fields);
  await storeSecrets(work, id, input.secrets);
  const after = agentView(found(await findAgent(scope, id)), ports.defaultModel);
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'agent.created',
    resourceType: 'agent',
    resourceId: id,
    after,
  });
  return after;
}

type Change = { input: Partial<AgentInput>; fields: (record: AgentRecord) => AgentFields };

async function change(
  work: WorkOnOne,
  id: string,
  { input, fields: fieldsFrom }: Change,
): Promise<ChangedAgent> {
  const { scope, caller, ports } = work;
  const record = found(await lockAgent(scope, id));
  requireMatch(work.admits(etagOf(record)));
  const before = agentView(record, ports.defaultModel);
  const fields = stillFollowing(record, fieldsFrom(record), ports.defaultModel);
  await requireQuota(work, input);
  const dropped = droppedSecrets(record, fields, input.secrets);
  const present = secretNamesAfter(record.secretNames, input.secrets);
  requireRoom(record.secretNames, present.size - dropped.length);
  const secretNames = new Set([...present, ...missingSecrets(record)]);
  await requireSound(scope, { id, fields, secretNames });
  await updateAgent(scope, { id, ...fields });
  await storeSecrets(work, id, { ...input.secrets, ...nulls(dropped) });
  const after = agentView(found(await findAgent(scope, id)), ports.defaultModel);
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'agent.updated',
    resourceType: 'agent',
    resourceId: id,
    before,
    after: {
      ...after,
      ...(input.secrets && { secretsWritten: Object.keys(input.secrets) }),
      ...(dropped.length > 0 && { secretsDropped: dropped }),
    },
  });
  return dropped.length > 0 ? { ...after, warnings: dropped.map(droppedSecret) } : after;
}

/** Whoever sends back the default that an agent without a model shows has not chosen one. */
function stillFollowing(
  before: AgentRecord,
  fields: AgentFields,
  defaultModel: string,
): AgentFields {
  const follows = before.model === null && fields.model === defaultModel;
  return follows ? { ...fields, model: null } : fields;
}

/**
 * Stored secrets that the tools would now send elsewhere, and that the request does not include.
 */
function droppedSecrets(
  { tools, secretNames }: AgentRecord,
  fields: AgentFields,
  sent: AgentInput['secrets'] = {},
): string[] {
  const redirected = redirectedSecrets(tools as Tool[], fields.tools as Tool[]);
  return secretNames.filter((name) => redirected.has(name) && !Object.hasOwn(sent, name));
}

/** Secrets that were dropped but are still used: other changes of the agent are still allowed. */
function missingSecrets({ tools, secretNames }: AgentRecord): string[] {
  return [...usedSecrets(tools as Tool[])].filter((name) => !secretNames.includes(name));
}

function nulls(names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]));
}

async function remove({ scope, caller, ports, admits }: WorkOnOne, id: string): Promise<void> {
  const record = found(await lockAgentToDelete(scope, id));
  requireMatch(admits(etagOf(record)));
  const callers = await callersOfAgent(scope, id);
  if (callers.length > 0)
    throw new Problem(
      'conflict',
      `The agent is a sub-agent of ${callers.join(', ')}. Remove it from their tools first.`,
    );
  await deleteAgent(scope, id);
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'agent.deleted',
    resourceType: 'agent',
    resourceId: id,
    before: agentView(record, ports.defaultModel),
  });
}

/** An agent that already exceeds the quota keeps its servers until its tools are changed. */
async function requireQuota({ scope, ports }: Work, { tools = [] }: Partial<AgentInput>) {
  const more = tools.filter(({ kind }) => kind === 'mcp').length;
  if (more > 0) await ports.quotas.require(scope, 'mcpServersPerAgent', { used: 0, more });
}

/** An agent that already has more secrets keeps them, but gets no others. */
function requireRoom(stored: readonly string[], after: number): void {
  if (after <= Math.max(maxSecrets, stored.length)) return;
  const message = `must not leave the agent with more than ${maxSecrets} secrets`;
  throw new Problem('body-invalid', 'The agent is invalid.', {
    errors: [{ path: '/secrets', message }],
  });
}

/** Checks everything about an agent that goes beyond its own fields. */
async function requireSound(
  scope: OrganizationScope,
  { id, fields, secretNames }: { id?: string; fields: AgentFields; secretNames: Set<string> },
): Promise<void> {
  const errors: FieldError[] = [];
  if (fields.connectionId && !(await holdConnection(scope, fields.connectionId)))
    errors.push({ path: '/connectionId', message: 'must be a connection of this organization' });
  for (const [index, fallbackId] of (fields.fallbackConnectionIds ?? []).entries())
    if (!(await holdConnection(scope, fallbackId)))
      errors.push({
        path: `/fallbackConnectionIds/${index}`,
        message: 'must be a connection of this organization',
      });
  const tools = fields.tools as Tool[];
  const callableAgents = await holdAgents(scope, subagentIds(tools));
  if (id !== undefined) callableAgents.delete(id);
  errors.push(...checkTools(tools, { secretNames, callableAgents }));
  if (errors.length > 0) throw new Problem('body-invalid', 'The agent is invalid.', { errors });
}

function secretNamesAfter(
  present: readonly string[],
  changes: AgentInput['secrets'] = {},
): Set<string> {
  const names = new Set(present);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) names.delete(name);
    else names.add(name);
  }
  return names;
}

async function storeSecrets(
  { scope, ports }: Work,
  agentId: string,
  secrets: AgentInput['secrets'] = {},
): Promise<void> {
  const sealed = Object.entries(secrets).map(([name, value]): [string, Buffer | null] => [
    name,
    value === null ? null : ports.secretBox.seal(value, secretContext.agent(agentId, name)),
  ]);
  await changeAgentSecrets(scope, agentId, new Map(sealed));
}
