import { queryOptions } from '@tanstack/react-query';
import { headersOf, type Agent, type Parley } from '@parley/client/server';
import { useAgents } from '../../api/agents.js';

/** An agent and the ETag of its version. */
export type AgentState = { readonly agent: Agent; readonly etag: string };

/** The headers are attached to the response object, so read them before anything copies it. */
export function stateOf(agent: Agent): AgentState {
  return { agent, etag: headersOf(agent).get('etag') ?? '' };
}

export function agentQuery(parley: Parley, organizationId: string, agentId: string) {
  return queryOptions({
    queryKey: [organizationId, 'agents', 'one', agentId],
    queryFn: async () => stateOf(await parley.agents.get(agentId)),
  });
}

/** The names of the organization's agents, by id. */
export function useAgentNames(): ReadonlyMap<string, string> {
  return new Map(useAgents()?.map(({ id, name }) => [id, name]));
}
