import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldErrorsOf } from '../../api/failure.js';
import { useOrganization, useParley } from '../../api/parley.js';
import { isRefusal } from '../../api/signed-in.js';
import { tell } from '../../parts/toasts.js';
import { patchOf, type AgentDraft } from './agent-draft.js';
import { agentQuery, stateOf } from './agents-query.js';
import { atFields, stillWrong } from './field-errors.js';
import type { EditedAgent } from './use-agent-draft.js';

/** Saves the changes, if nobody else has changed the agent in the meantime. */
export function useSaveAgent(agentId: string, edit: EditedAgent) {
  const parley = useParley();
  const { id: organizationId } = useOrganization();
  const queryClient = useQueryClient();
  const saving = useMutation({
    mutationFn: async (sent: AgentDraft) => {
      const changed = await parley.agents.update(agentId, patchOf(edit.base, sent), {
        ifMatch: edit.etag,
      });
      const { etag } = stateOf(changed);
      const { warnings = [], ...agent } = changed;
      return { state: { agent, etag }, warnings };
    },
    onSuccess: ({ state, warnings }, sent) => {
      queryClient.setQueryData(agentQuery(parley, organizationId, agentId).queryKey, state);
      edit.settle(state, sent);
      for (const { message } of warnings) tell({ title: 'A secret was dropped', text: message });
      void queryClient.invalidateQueries({
        queryKey: [organizationId, 'agents'],
        predicate: ({ queryKey }) => queryKey[2] !== 'one',
      });
    },
  });
  const told = atFields(fieldErrorsOf(saving.error));
  const errors = stillWrong(told, saving.variables, edit.value);
  return {
    save: () => {
      if (!saving.isPending) saving.mutate(edit.value);
    },
    busy: saving.isPending,
    /** Hides errors in fields that have changed since. */
    error: told.size > 0 && errors.size === 0 ? undefined : saving.error,
    errors,
    conflict: isRefusal(saving.error, 412),
    forget: () => saving.reset(),
  };
}
