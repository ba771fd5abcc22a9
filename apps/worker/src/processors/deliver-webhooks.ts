import {
  recordDelivery,
  secretContext,
  SecretUnreadable,
  takeDueDeliveries,
  type DeliveryResult,
  type DueDelivery,
} from '@parley/database';
import { EgressRefused, failureCode } from '@parley/egress';
import type { JobContext, JobResult } from '../job.js';
import { webhookHeaders } from '../webhooks/webhook-headers.js';

/**
 * Nine attempts in a day. The first delay is longer than a request may take, so that no delivery is
 * sent twice at once.
 */
export const retryDelays = [30, 60, 300, 900, 3600, 10_800, 21_600, 43_200];

const claim = { retryDelays, perWebhook: 10, limit: 50 };
const timeoutMs = 10_000;
/** Reads only enough of a response to see its end. */
const maxBytes = 16_384;
const maxErrorLength = 500;

type Sender = Pick<JobContext, 'database' | 'secretBox' | 'egress' | 'webhooks' | 'logger'>;

export async function deliverWebhooks(context: Sender): Promise<JobResult> {
  const { database } = context;
  const due = await database.asSystem((system) => takeDueDeliveries(system, claim));
  const results = await Promise.all(
    due.map(async (delivery) => {
      const result = await deliver(context, delivery);
      context.webhooks.sent(result.delivered);
      await database.asSystem((system) => recordDelivery(system, delivery.id, result));
      return result;
    }),
  );
  // A backlog that nobody accepts is no reason to hurry.
  const accepted = results.filter(({ delivered }) => delivered).length;
  return { rows: due.length, more: accepted >= claim.perWebhook };
}

async function deliver(
  { secretBox, egress, logger }: Sender,
  { id, webhookId, url, secret: sealed, body }: DueDelivery,
): Promise<DeliveryResult> {
  try {
    const secret = secretBox.open(sealed, secretContext.webhook(webhookId));
    const headers = webhookHeaders({ id, body, secret, sentAt: new Date() });
    const request = { url, method: 'POST', headers, body, timeoutMs, maxBytes, redirects: 0 };
    const { status } = await egress.request(request);
    const delivered = status >= 200 && status < 300;
    return { delivered, status, error: delivered ? null : `The endpoint answered ${status}.` };
  } catch (err) {
    if (err instanceof SecretUnreadable)
      logger.error({ err, webhookId }, 'signing webhook event failed');
    return { delivered: false, status: null, error: describe(err) };
  }
}

function describe(error: unknown): string {
  if (error instanceof SecretUnreadable) return 'The signing secret cannot be read.';
  if (error instanceof EgressRefused) return error.message.slice(0, maxErrorLength);
  const name = error instanceof Error ? error.name : String(error);
  return `No answer: ${failureCode(error) ?? name}`.slice(0, maxErrorLength);
}
