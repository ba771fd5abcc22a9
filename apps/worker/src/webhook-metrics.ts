import { Counter, Gauge, type Registry } from 'prom-client';
import { readOnScrape } from '@parley/service-kit';

export type WebhookMetrics = {
  /** An attempt to reach a webhook. */
  sent(delivered: boolean): void;
};

/**
 * The delay of deliveries is read from the record on each scrape, because a dead job reports
 * nothing.
 */
export function webhookMetrics(
  registry: Registry,
  overdueSeconds: () => Promise<number>,
  onError: (error: unknown) => void,
): WebhookMetrics {
  const registers = [registry];
  const deliveries = new Counter({
    name: 'parley_webhook_deliveries_total',
    help: 'Attempts to deliver an event to a webhook, by outcome. Failed attempts are retried.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['delivered', 'failed']) deliveries.inc({ outcome }, 0);
  new Gauge({
    name: 'parley_webhooks_overdue_seconds',
    help: 'How long the oldest due delivery has been waiting to be sent; 0 if none is due.',
    registers,
    collect() {
      return readOnScrape(overdueSeconds, (seconds) => this.set(seconds), onError);
    },
  });
  return {
    sent: (delivered) => deliveries.inc({ outcome: delivered ? 'delivered' : 'failed' }),
  };
}
