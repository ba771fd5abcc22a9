import { useMutation } from '@tanstack/react-query';
import type { ApiKey } from '@parley/client/server';
import { useOrganization, useParley } from '../../api/parley.js';
import { queryClient } from '../../api/signed-in.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Time } from '../../parts/time.js';
import { tell } from '../../parts/toasts.js';
import { stoppedBy } from './scopes.js';
import styles from './keys.module.css';

/** Shows the consequences: whether the key is in use, and what its users can no longer do. */
export function RevokeKeyDialog({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const revoke = useMutation({
    mutationFn: () => parley.apiKeys.revoke(apiKey.id),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: [id, 'keys'] });
      tell({ title: 'Key revoked', text: apiKey.name });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke the key “${apiKey.name}”?`}
      action="Revoke key"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
      consequences={
        <div className={styles.consequences}>
          {apiKey.lastUsedAt === null ? (
            <p>Nobody has used this key yet.</p>
          ) : (
            <p>
              It was last used <Time at={apiKey.lastUsedAt} />. Requests with it will get 401, and
              the sessions and questions that it started will end.
            </p>
          )}
          <p>Whoever uses it can no longer:</p>
          <ul>
            {stoppedBy(apiKey.scopes).map((stopped) => (
              <li key={stopped}>{stopped}</li>
            ))}
          </ul>
          <p>This cannot be undone. To replace a key, create the new one first.</p>
        </div>
      }
    />
  );
}
