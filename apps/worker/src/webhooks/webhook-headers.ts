import { createHmac } from 'node:crypto';

export type SignedRequest = { id: string; body: string; secret: string; sentAt: Date };

/** As Standard Webhooks lays them down: the signature covers the id, the time and the body. */
export function webhookHeaders({ id, body, secret, sentAt }: SignedRequest) {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Parley',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
