import type { DeliveryRecord, WebhookRecord } from '@parley/database';
import type { Webhook, WebhookDelivery, WebhookEvent } from '@parley/protocol';

export function webhookView(record: WebhookRecord): Webhook {
  return {
    ...record,
    events: record.events as WebhookEvent[],
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export function deliveryView(record: DeliveryRecord): WebhookDelivery {
  const { createdAt, nextAttemptAt, deliveredAt } = record;
  return {
    ...record,
    event: record.event as WebhookEvent,
    state: deliveredAt ? 'delivered' : nextAttemptAt ? 'pending' : 'failed',
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
}
