import type { Parley, Webhook, WebhookDelivery } from '@parley/client/server';
import { newestFirst } from '../../api/newest-first.js';

export type FailedDelivery = { readonly webhook: Webhook; readonly delivery: WebhookDelivery };

/** How many webhooks and deliveries are searched, and how many are shown. */
const looked = { webhooks: 10, deliveries: 20, shown: 5 };

/** The latest deliveries that failed for good, newest first. */
export async function failedDeliveries({
  webhooks,
}: Pick<Parley, 'webhooks'>): Promise<FailedDelivery[]> {
  const { items } = await webhooks.list({ limit: looked.webhooks });
  const found: FailedDelivery[] = [];
  for (const webhook of items) {
    const recent = await newestFirst((place) => webhooks.listDeliveries(webhook.id, place), {
      offset: 0,
      limit: looked.deliveries,
    });
    for (const delivery of recent.items)
      if (delivery.state === 'failed') found.push({ webhook, delivery });
  }
  return found
    .toSorted((a, b) => b.delivery.createdAt.localeCompare(a.delivery.createdAt))
    .slice(0, looked.shown);
}
