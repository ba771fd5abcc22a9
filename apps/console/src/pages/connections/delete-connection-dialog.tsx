import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent, Connection } from '@parley/client/server';
import { useOrganization, useParley } from '../../api/parley.js';
import { queryClient } from '../../api/signed-in.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog, Dialog, DialogActions, DialogBody } from '../../parts/dialog.js';
import { Skeleton } from '../../parts/page.js';
import { tell } from '../../parts/toasts.js';
import { countOf } from '../../parts/words.js';
import styles from './connections.module.css';

/** A connection in use cannot be deleted: lists the agents that use it, with links. */
export function DeleteConnectionDialog({
  connection,
  onClose,
}: {
  readonly connection: Connection;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const users = useQuery({
    queryKey: [id, 'agents', 'using', connection.id],
    queryFn: async () => {
      const using: Agent[] = [];
      for await (const agent of parley.agents.list({ limit: 200 }))
        if ([agent.connectionId, ...agent.fallbackConnectionIds].includes(connection.id))
          using.push(agent);
      return using;
    },
    staleTime: 0,
  });
  const remove = useMutation({
    mutationFn: () => parley.connections.delete(connection.id),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: [id, 'connections'] });
      tell({ title: 'Connection deleted', text: connection.name });
      onClose();
    },
  });
  if (users.data && users.data.length > 0)
    return <InUse name={connection.name} agents={users.data} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Delete the connection “${connection.name}”?`}
      action="Delete connection"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      consequences={
        users.isPending ? (
          <Skeleton width="70%" />
        ) : (
          <p>
            No agent uses it.{' '}
            {connection.hasSecret
              ? 'Its secret is deleted with it and cannot be restored.'
              : 'It has no secret.'}
          </p>
        )
      }
    />
  );
}

function InUse({
  name,
  agents,
  onClose,
}: {
  readonly name: string;
  readonly agents: readonly Agent[];
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  return (
    <Dialog title={`“${name}” is in use`} onClose={onClose}>
      <DialogBody>
        <p>
          {countOf(agents.length, 'agent uses', 'agents use')} this connection. Choose another one
          for them first, then delete it.
        </p>
        <ul className={styles.agents}>
          {agents.map((agent) => (
            <li key={agent.id}>
              <Link
                to="/$organizationId/agents/$agentId"
                params={{ organizationId: id, agentId: agent.id }}
              >
                <bdi>{agent.name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
