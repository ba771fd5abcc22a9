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
      tell({ title: 'The agent is deleted' });
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
          <li>Clients that ask for it by its id are refused from now on.</li>
          <li>Its conversations stay, and so does what the audit log says of it.</li>
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
  return `${countOf(count, 'stored secret')} ${count === 1 ? 'goes' : 'go'} with it.`;
}

function liveText(live: number | undefined): string {
  if (live === undefined) return 'Live sessions of it end.';
  if (live === 0) return 'Nobody is talking to it now; sessions that begin meanwhile end.';
  return live === 1 ? '1 live session ends.' : `${countOf(live, 'live session')} end.`;
}

/** A name that cannot be typed into a line is not asked for. */
function confirmation(name: string): string {
  return /[\p{Cc}\p{Cf}]/u.test(name) || name.trim() !== name ? 'delete' : name;
}
