import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Webhook } from '@parley/client/server';
import { Ellipsis, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { queryClient } from '../../api/signed-in.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { ShortId } from '../../parts/copy.js';
import { FailureState } from '../../parts/failure-note.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { Card, Page, Skeleton } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { tell, tellFailure } from '../../parts/toasts.js';
import { Deliveries } from './deliveries.js';
import { SigningSecretDialog } from './signing-secret-dialog.js';
import { DeleteWebhookDialog, ReplaceSecretDialog } from './webhook-dialogs.js';
import { EditWebhookDialog } from './webhook-form.js';
import styles from './webhooks.module.css';

type Open = 'edit' | 'secret' | 'delete' | undefined;

export function WebhookPage() {
  const { webhookId = '' } = useParams({ strict: false });
  const { id } = useOrganization();
  const parley = useParley();
  const editor = useMay('editor');
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<string>();
  const webhook = useQuery({
    queryKey: [id, 'webhooks', webhookId],
    queryFn: () => parley.webhooks.get(webhookId),
  });
  const close = () => setOpen(undefined);
  const takeSecret = (made: string | undefined) => {
    close();
    setSecret(made);
  };
  if (!webhook.data)
    return (
      <Page title="Webhook">
        <Card>
          {webhook.error ? (
            <FailureState error={webhook.error} onRetry={() => void webhook.refetch()} />
          ) : (
            <Skeleton height={64} />
          )}
        </Card>
      </Page>
    );
  return (
    <Page
      title={webhook.data.url}
      actions={editor ? <Actions webhook={webhook.data} onOpen={setOpen} /> : undefined}
    >
      <Facts webhook={webhook.data} />
      <section className={styles.section}>
        <h2>Deliveries</h2>
        <Deliveries webhookId={webhookId} />
      </section>
      {open === 'edit' && (
        <EditWebhookDialog
          webhook={webhook.data}
          onClose={close}
          onChanged={(changed) => {
            tell({ title: 'Webhook changed' });
            takeSecret(changed.secret);
          }}
        />
      )}
      {open === 'secret' && (
        <ReplaceSecretDialog webhook={webhook.data} onClose={close} onReplaced={takeSecret} />
      )}
      {open === 'delete' && <DeleteWebhookDialog webhook={webhook.data} onClose={close} />}
      {secret !== undefined && (
        <SigningSecretDialog secret={secret} replaced onDone={() => setSecret(undefined)} />
      )}
    </Page>
  );
}

function Actions({
  webhook,
  onOpen,
}: {
  readonly webhook: Webhook;
  readonly onOpen: (open: Open) => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const { enabled } = webhook;
  const toggle = useMutation({
    mutationFn: () => parley.webhooks.update(webhook.id, { enabled: !enabled }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [id, 'webhooks'] }),
    onError: tellFailure,
  });
  return (
    <>
      <Menu trigger={<IconButton label="More actions" icon={<Ellipsis size={16} />} />}>
        <MenuItem onSelect={() => onOpen('secret')}>Replace the signing secret</MenuItem>
        <MenuItem onSelect={() => onOpen('delete')}>Delete</MenuItem>
      </Menu>
      <Button busy={toggle.isPending} onClick={() => toggle.mutate()}>
        {enabled ? <Pause size={16} /> : <Play size={16} />}
        {enabled ? 'Pause' : 'Resume'}
      </Button>
      <Button look="primary" onClick={() => onOpen('edit')}>
        Change
      </Button>
    </>
  );
}

function Facts({ webhook }: { readonly webhook: Webhook }) {
  return (
    <Card>
      <dl className={styles.facts}>
        <div>
          <dt>State</dt>
          <dd>
            {webhook.enabled ? (
              <Badge tone="ok">Active</Badge>
            ) : (
              <Badge tone="warn">Paused: events are not sent</Badge>
            )}
          </dd>
        </div>
        <div>
          <dt>Events</dt>
          <dd className={styles.tags}>
            {webhook.events.map((name) => (
              <Badge key={name} plain>
                {name}
              </Badge>
            ))}
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={webhook.createdAt} />
          </dd>
        </div>
        <div>
          <dt>Id</dt>
          <dd>
            <ShortId id={webhook.id} what="webhook’s id" />
          </dd>
        </div>
      </dl>
    </Card>
  );
}
