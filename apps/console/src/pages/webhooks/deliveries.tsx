import { useMutation, useQuery } from '@tanstack/react-query';
import type { WebhookDelivery } from '@parley/client/server';
import { RotateCw } from 'lucide-react';
import { useListPlace } from '../../address.js';
import { newestFirst } from '../../api/newest-first.js';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { queryClient } from '../../api/signed-in.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { ShortId } from '../../parts/copy.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { EmptyState } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { tell, tellFailure } from '../../parts/toasts.js';
import { deliveryStates, responseText } from './events.js';
import styles from './webhooks.module.css';

/** The deliveries and their outcomes, newest first; refetched while one is pending. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const { id } = useOrganization();
  const parley = useParley();
  const editor = useMay('editor');
  const { place, pagingOf } = useListPlace();
  const deliveries = useQuery({
    queryKey: [id, 'webhooks', webhookId, 'deliveries', place.offset],
    queryFn: async () =>
      newestFirst((part) => parley.webhooks.listDeliveries(webhookId, part), place),
    refetchInterval: ({ state }) =>
      state.data?.items.some((delivery) => delivery.state === 'pending') === true ? 3_000 : 15_000,
  });
  return (
    <DataTable
      label="Deliveries"
      columns={editor ? [...columns, redeliverColumn(webhookId)] : columns}
      rows={deliveries.data?.items}
      rowKey={(delivery) => delivery.id}
      error={deliveries.error}
      onRetry={() => void deliveries.refetch()}
      paging={pagingOf(deliveries.data?.total)}
      empty={
        <EmptyState title="No deliveries yet">
          Deliveries appear here when one of the webhook’s events happens.
        </EmptyState>
      }
    />
  );
}

const columns: readonly Column<WebhookDelivery>[] = [
  { name: 'Event', cell: ({ event }) => <code>{event}</code> },
  {
    name: 'State',
    cell: ({ state }) => (
      <Badge tone={deliveryStates[state].tone}>{deliveryStates[state].label}</Badge>
    ),
  },
  {
    name: 'Response',
    cell: (delivery) => (
      <span className={styles.error} dir="auto" title={responseText(delivery)}>
        {responseText(delivery)}
      </span>
    ),
  },
  { name: 'Attempts', number: true, minor: true, cell: ({ attempts }) => attempts },
  { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    name: 'Delivered',
    minor: true,
    cell: ({ deliveredAt, nextAttemptAt }) =>
      deliveredAt === null && nextAttemptAt !== null ? (
        <>
          again <Time at={nextAttemptAt} />
        </>
      ) : (
        <Time at={deliveredAt} />
      ),
  },
  { name: 'Id', minor: true, cell: ({ id }) => <ShortId id={id} what="webhook-id" /> },
];

function redeliverColumn(webhookId: string): Column<WebhookDelivery> {
  return {
    name: 'Actions',
    quiet: true,
    number: true,
    cell: (delivery) =>
      delivery.state === 'pending' ? null : (
        <Redeliver webhookId={webhookId} deliveryId={delivery.id} />
      ),
  };
}

function Redeliver({
  webhookId,
  deliveryId,
}: {
  readonly webhookId: string;
  readonly deliveryId: string;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const redeliver = useMutation({
    mutationFn: () => parley.webhooks.redeliver(webhookId, deliveryId),
    onSuccess: () => {
      tell({ title: 'Sent again', text: 'The row shows the outcome.' });
      return queryClient.invalidateQueries({ queryKey: [id, 'webhooks', webhookId] });
    },
    onError: tellFailure,
  });
  return (
    <Button small busy={redeliver.isPending} onClick={() => redeliver.mutate()}>
      <RotateCw size={14} /> Redeliver
    </Button>
  );
}
