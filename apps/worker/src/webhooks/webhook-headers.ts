import { Webhook } from 'standardwebhooks';

export type SignedRequest = { id: string; body: string; secret: string; sentAt: Date };

/** As defined by Standard Webhooks: the signature covers the id, the time and the body. */
export function webhookHeaders({ id, body, secret, sentAt }: SignedRequest) {
  return {
    'content-type': 'application/json',
    'user-agent': 'Parley',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
}
