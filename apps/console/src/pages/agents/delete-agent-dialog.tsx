import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Agent } from '@parley/client/server';
import { useNavigate } from '@tanstack/react-router';
import { useOrganization, useParley } from '../../api/parley.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { tell } from '../../parts/toasts.js';
import { countOf } from '../../parts/words.js';
import styles from './delete-agent-dialog.module.css';

export function DeleteAgentDialog({
  agent,
  onClose,
}: {
  readonly agent: Agent;
  readonly onClose: () => void;
}) {
  const parley = useParley();
  const { id: organizationId } = useOrganization();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: live } = useQuery({
    queryKey: [organizationId, 'sessions', 'of', agent.id],
    queryFn: async () =>
      (await parley.realtimeSessions.list({ agentId: agent.id, limit: 1 })).total,
  });
  const remove = useMutation({
    mutationFn: () => parley.agents.delete(agent.id),
    onSuccess: async () => {
      tell({ title: 'Agent deleted' });
      await navigate({
        to: '/$organizationId/agents',
        params: { organizationId },
        ignoreBlocker: true,
      });
      await queryClient.invalidateQueries({ queryKey: [organizationId, 'agents'] });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete the agent “${agent.name}”?`}
      consequences={
        <ul className={styles.list}>
          <li>{liveText(live)}</li>
          {agent.secretNames.length > 0 && <li>{secretsText(agent.secretNames.length)}</li>}
          <li>Requests with its id will be refused.</li>
          <li>Its conversations and its audit records are kept.</li>
        </ul>
      }
      action="Delete agent"
      typeToConfirm={confirmation(agent.name)}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

function secretsText(count: number): string {
  return `${countOf(count, 'stored secret')} will be deleted.`;
}

function liveText(live: number | undefined): string {
  if (live === undefined) return 'Its live sessions will end.';
  if (live === 0) return 'It has no live sessions; any that start before you delete it will end.';
  return live === 1 ? '1 live session will end.' : `${countOf(live, 'live session')} will end.`;
}

/** Names that cannot be typed into a single line need no confirmation. */
function confirmation(name: string): string {
  return /[\p{Cc}\p{Cf}]/u.test(name) || name.trim() !== name ? 'delete' : name;
}
