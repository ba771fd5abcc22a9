import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@parley/client/server';
import { useOrganization, useParley } from '../../api/parley.js';
import { queryClient } from '../../api/signed-in.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { tell } from '../../parts/toasts.js';

export function ReplaceSecretDialog({
  webhook,
  onReplaced,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onReplaced: (secret: string) => void;
  readonly onClose: () => void;
}) {
  const parley = useParley();
  const replace = useMutation({
    mutationFn: () => parley.webhooks.replaceSecret(webhook.id),
    onSuccess: ({ secret }) => onReplaced(secret),
  });
  return (
    <ConfirmDialog
      title="Replace the signing secret?"
      action="Replace secret"
      busy={replace.isPending}
      error={replace.error}
      onConfirm={() => replace.mutate()}
      onClose={onClose}
      consequences={
        <p>
          Requests are then signed with the new secret. Your system rejects them until it has the
          secret; Parley retries them for a while.
        </p>
      }
    />
  );
}

export function DeleteWebhookDialog({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => parley.webhooks.delete(webhook.id),
    onSuccess: async () => {
      tell({ title: 'Webhook deleted', text: webhook.url });
      await navigate({ to: '/$organizationId/webhooks', params: { organizationId: id } });
      queryClient.removeQueries({ queryKey: [id, 'webhooks', webhook.id] });
      await queryClient.invalidateQueries({ queryKey: [id, 'webhooks'] });
    },
  });
  return (
    <ConfirmDialog
      title="Delete the webhook?"
      action="Delete webhook"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      consequences={
        <p>
          {webhook.url} receives no more events. Pending deliveries are dropped, and the list of its
          deliveries is deleted.
        </p>
      }
    />
  );
}
