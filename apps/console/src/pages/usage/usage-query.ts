import { useQuery } from '@tanstack/react-query';
import { useOrganization, useParley } from '../../api/parley.js';
import type { UsageRange } from './usage-range.js';

export function useUsage(range: UsageRange, agentId?: string) {
  const { id } = useOrganization();
  const parley = useParley();
  return useQuery({
    queryKey: [id, 'usage', range, agentId],
    queryFn: () => parley.usage.get({ ...range, agentId }),
    placeholderData: (before) => before,
    refetchInterval: 60_000,
  });
}
