import type { Webhook, WebhookDelivery } from '@parley/client/server';
import type { Tone } from '../../parts/badge.js';

export type EventName = Webhook['events'][number];

/** The events that a webhook can receive. */
export const events: Readonly<Record<EventName, string>> = {
  'approval.waiting': 'A tool call is waiting for approval',
  'approval.decided': 'A waiting tool call was approved or rejected, expired, or was cancelled',
  'question.answered': 'A question was answered, or failed',
  'session.ended': 'A realtime session ended',
  'task.changed': 'A task was created, changed or deleted, by your systems or by an agent',
};

export const eventNames = Object.keys(events) as EventName[];

export const deliveryStates: Readonly<
  Record<WebhookDelivery['state'], { readonly label: string; readonly tone: Tone }>
> = {
  pending: { label: 'Pending', tone: 'accent' },
  delivered: { label: 'Delivered', tone: 'ok' },
  failed: { label: 'Failed', tone: 'danger' },
};

/** The outcome of the last attempt: "200", "503: upstream is down", "connection refused". */
export function responseText({ attempts, lastStatus, lastError }: WebhookDelivery): string {
  if (attempts === 0) return 'Not sent yet';
  if (lastStatus === null) return lastError ?? 'No response';
  return lastError === null ? String(lastStatus) : `${lastStatus}: ${lastError}`;
}
