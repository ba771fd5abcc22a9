import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ParleyApiError, type Approval } from '@parley/client/server';
import { useOrganization, useParley } from '../../api/parley.js';
import { readOutcome } from './inbox.js';

/** Updated by events, and refetched periodically in case one was missed. */
export function useWaiting() {
  const { id } = useOrganization();
  const parley = useParley();
  return useQuery({
    queryKey: [id, 'approvals', 'waiting'],
    queryFn: async () => parley.approvals.list({ state: 'waiting', limit: 200 }),
    refetchInterval: 20_000,
  });
}

const outcomeKey = (organizationId: string, approvalId: string) => [
  organizationId,
  'approval-outcome',
  approvalId,
];

/** The outcome of an approval that is no longer waiting. */
export function useOutcome(gone: Approval | undefined): Approval | null | undefined {
  const { id } = useOrganization();
  const parley = useParley();
  return useQuery({
    queryKey: outcomeKey(id, gone?.id ?? ''),
    queryFn: () => (gone === undefined ? null : readOutcome(parley, gone)),
    enabled: gone !== undefined,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.data ? false : 2_000),
  }).data;
}

const verbs = { approved: 'approve', rejected: 'reject' } as const;
export type Verdict = keyof typeof verbs;

/**
 * Returns the outcome of the call: if two people decide at once, the second gets the first one's
 * decision.
 */
export function useDecide(approval: Approval) {
  const { id } = useOrganization();
  const parley = useParley();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (verdict: Verdict) => {
      try {
        const outcome = await parley.approvals[verbs[verdict]](approval.id);
        return { outcome, first: true };
      } catch (error) {
        if (!wasDecided(error)) throw error;
        const outcome = await readOutcome(parley, approval);
        if (outcome === null) throw error;
        return { outcome, first: false };
      }
    },
    onSuccess: ({ outcome }) => {
      client.setQueryData(outcomeKey(id, approval.id), outcome);
      // The decision is shown immediately, however long the lists take.
      void client.invalidateQueries({ queryKey: [id, 'approvals'] });
    },
  });
}

function wasDecided(error: unknown): boolean {
  return error instanceof ParleyApiError && error.errorCode === 'approval-decided';
}
