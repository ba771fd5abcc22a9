import type { Agent } from '@parley/client/server';
import { useQuery } from '@tanstack/react-query';
import { useOrganization, useParley } from '../../api/parley.js';
import { isRefusal } from '../../api/signed-in.js';

/** The agent that the user asked for, or why there is none to talk to. */
export type Chosen =
  | { readonly state: 'ready' | 'off'; readonly agent: Agent }
  | { readonly state: 'reading' | 'gone' }
  | { readonly state: 'failed'; readonly error: Error; readonly retry: () => void };

/** An agent that is not among the listed ones is read by its id. */
export function useChosenAgent(listed: readonly Agent[], agentId: string): Chosen {
  const { id: organizationId } = useOrganization();
  const parley = useParley();
  const known = listed.find(({ id }) => id === agentId);
  const { data, error, refetch } = useQuery({
    queryKey: [organizationId, 'agents', 'playground', agentId],
    queryFn: () => parley.agents.get(agentId),
    enabled: known === undefined,
  });
  const agent = known ?? data;
  if (isRefusal(error, 404) && !known) return { state: 'gone' };
  if (agent) return { state: agent.realtimeEnabled ? 'ready' : 'off', agent };
  return error ? { state: 'failed', error, retry: () => void refetch() } : { state: 'reading' };
}
