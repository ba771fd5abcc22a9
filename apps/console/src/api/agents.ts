import type { Agent } from '@parley/client/server';
import { useQuery } from '@tanstack/react-query';
import { useOrganization, useParley } from './parley.js';
import { isRefusal } from './signed-in.js';

/**
 * The first agents of the organization: enough to choose from, and most organizations have no more.
 */
export function useAgents(): readonly Agent[] | undefined {
  const { id } = useOrganization();
  const parley = useParley();
  return useQuery({
    queryKey: [id, 'agents', 'first'],
    queryFn: async () => (await parley.agents.list({ limit: 200 })).items,
    staleTime: 60_000,
  }).data;
}

/** Null: deleted. Undefined: not known yet, or no id given. */
export function useAgent(agentId: string | null | undefined): Agent | null | undefined {
  const { id } = useOrganization();
  const parley = useParley();
  const first = useAgents();
  const among = first?.find((agent) => agent.id === agentId);
  const { data } = useQuery({
    queryKey: [id, 'agents', agentId, 'or-deleted'],
    queryFn: () =>
      parley.agents.get(agentId ?? '').catch((error: unknown) => {
        if (isRefusal(error, 404)) return null;
        throw error;
      }),
    enabled: typeof agentId === 'string' && first !== undefined && among === undefined,
    staleTime: 60_000,
  });
  return among ?? data;
}
