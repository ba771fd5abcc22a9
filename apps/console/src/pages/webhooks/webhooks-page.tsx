import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Webhook, WebhookWithSecret } from '@parley/client/server';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useListPlace } from '../../address.js';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { EmptyState, Page } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { countOf } from '../../parts/words.js';
import { eventNames } from './events.js';
import { SigningSecretDialog } from './signing-secret-dialog.js';
import { CreateWebhookDialog } from './webhook-form.js';
import styles from './webhooks.module.css';

export function WebhooksPage() {
  const editor = useMay('editor');
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<WebhookWithSecret>();
  const create = () => setCreating(true);
  return (
    <Page
      title="Webhooks"
      lead="Notify your systems of events with signed requests, retried until they are accepted."
      actions={
        editor ? (
          <Button look="primary" onClick={create}>
            <Plus size={16} /> Create webhook
          </Button>
        ) : undefined
      }
    >
      <WebhookList onCreate={editor ? create : undefined} />
      {creating && (
        <CreateWebhookDialog
          onClose={() => setCreating(false)}
          onCreated={(webhook) => {
            setCreating(false);
            setMade(webhook);
          }}
        />
      )}
      {made && (
        <SigningSecretDialog
          secret={made.secret}
          replaced={false}
          onDone={() => setMade(undefined)}
        />
      )}
    </Page>
  );
}

function WebhookList({ onCreate }: { readonly onCreate: (() => void) | undefined }) {
  const { id } = useOrganization();
  const parley = useParley();
  const { place, pagingOf } = useListPlace();
  const webhooks = useQuery({
    queryKey: [id, 'webhooks', place.offset],
    queryFn: async () => parley.webhooks.list(place),
  });
  return (
    <DataTable
      label="Webhooks"
      leads
      columns={columnsOf(id)}
      rows={webhooks.data?.items}
      rowKey={(webhook) => webhook.id}
      error={webhooks.error}
      onRetry={() => void webhooks.refetch()}
      paging={pagingOf(webhooks.data?.total)}
      empty={
        <EmptyState
          title="No webhooks yet"
          action={onCreate && <Button onClick={onCreate}>Create webhook</Button>}
        >
          Create one to be notified of approvals, answers, ended sessions and tasks without polling.
        </EmptyState>
      }
    />
  );
}

function columnsOf(organizationId: string): readonly Column<Webhook>[] {
  return [
    {
      name: 'Address',
      cell: ({ id: webhookId, url }) => (
        <Link
          to="/$organizationId/webhooks/$webhookId"
          params={{ organizationId, webhookId }}
          className={styles.url}
        >
          {url}
        </Link>
      ),
    },
    {
      name: 'Events',
      minor: true,
      cell: ({ events }) =>
        events.length === eventNames.length ? 'All events' : countOf(events.length, 'event'),
    },
    {
      name: 'State',
      cell: ({ enabled }) =>
        enabled ? <Badge tone="ok">Active</Badge> : <Badge tone="warn">Paused</Badge>,
    },
    { name: 'Changed', minor: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
}
