import { randomBytes, randomUUID } from 'node:crypto';
import {
  appendAudit,
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  lockDelivery,
  lockWebhook,
  maxWebhooks,
  redeliver,
  secretContext,
  updateWebhook,
  type Database,
  type DeliveryOfWebhook,
  type OrganizationScope,
  type SecretBox,
} from '@parley/database';
import { EgressRefused, type Egress } from '@parley/egress';
import {
  Problem,
  withDefaults,
  WebhookInput,
  type ChangedWebhook,
  type Warning,
  type Webhook,
  type WebhookDelivery,
  type WebhookPatch,
  type WebhookWithSecret,
} from '@parley/protocol';
import type { Caller, Handlers, Target } from '../http/call.js';
import { found } from '../http/found.js';
import { pageOf } from '../http/query.js';
import { deliveryView, webhookView } from './webhook-view.js';

export type WebhookPorts = {
  database: Database;
  secretBox: SecretBox;
  egress: Pick<Egress, 'check'>;
};

type WebhookHandlers = Pick<
  Handlers,
  | 'listWebhooks'
  | 'createWebhook'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'replaceWebhookSecret'
  | 'listWebhookDeliveries'
  | 'redeliverWebhookDelivery'
>;

export function webhookOperations({ database, secretBox, egress }: WebhookPorts): WebhookHandlers {
  const change = <T>(caller: Caller, work: (work: Work) => Promise<T>) =>
    database.inOrganization(caller.organizationId, (scope) => work({ scope, caller, secretBox }));
  const visible = ({ caller, params }: Target<'getWebhook'>) =>
    database.inOrganization(
      caller.organizationId,
      async (scope) => (await findWebhook(scope, params.webhookId)) !== undefined,
    );
  return {
    listWebhooks: {
      run: ({ caller, query }) =>
        database.inSnapshot(caller.organizationId, async (scope) => {
          const page = pageOf(query);
          const { items, total } = await listWebhooks(scope, page);
          return { items: items.map(webhookView), total, ...page };
        }),
    },
    createWebhook: {
      run: ({ caller, body, commit }) => {
        requireReachable(egress, body);
        return commit((scope) => create({ scope, caller, secretBox }, body));
      },
    },
    getWebhook: {
      run: ({ caller, params }) =>
        database.inOrganization(caller.organizationId, async (scope) =>
          webhookView(found(await findWebhook(scope, params.webhookId))),
        ),
    },
    updateWebhook: {
      visible,
      run: ({ caller, params, body }) => {
        requireReachable(egress, body);
        return change(caller, (work) => update(work, params.webhookId, body));
      },
    },
    deleteWebhook: {
      run: ({ caller, params }) => change(caller, (work) => remove(work, params.webhookId)),
    },
    replaceWebhookSecret: {
      run: ({ caller, params, commit }) =>
        commit((scope) => replaceSecret({ scope, caller, secretBox }, params.webhookId)),
    },
    listWebhookDeliveries: {
      visible,
      run: ({ caller, params, query }) =>
        database.inSnapshot(caller.organizationId, async (scope) => {
          const page = pageOf(query);
          const { items, total } = await listDeliveries(scope, params.webhookId, page);
          return { items: items.map(deliveryView), total, ...page };
        }),
    },
    redeliverWebhookDelivery: {
      run: ({ caller, params, commit }) =>
        commit((scope) => sendAgain({ scope, caller, secretBox }, params)),
    },
  };
}

type Work = { scope: OrganizationScope; caller: Caller; secretBox: SecretBox };

async function create(work: Work, input: WebhookInput): Promise<WebhookWithSecret> {
  const fields = withDefaults(WebhookInput, input) as Required<WebhookInput>;
  const id = randomUUID();
  const { secret, sealed } = newSecret(work, id);
  await insertWebhook(work.scope, { ...fields, id, secret: sealed });
  const after = await read(work, id);
  await audit(work, 'created', { id, after });
  // The head of the audit log is locked now: any concurrent creation waits, or was counted.
  if ((await countWebhooks(work.scope)) > maxWebhooks)
    throw new Problem('conflict', `You already have ${maxWebhooks} webhooks. Delete one first.`);
  return { ...after, secret };
}

/**
 * A webhook that is pointed elsewhere gets a new secret: with the old one, its receiver could forge
 * our events.
 */
async function update(work: Work, id: string, changes: WebhookPatch): Promise<ChangedWebhook> {
  const before = webhookView(found(await lockWebhook(work.scope, id)));
  const moved = new URL(changes.url ?? before.url).origin !== new URL(before.url).origin;
  const replaced = moved ? newSecret(work, id) : undefined;
  await updateWebhook(work.scope, { id, ...changes, ...(replaced && { secret: replaced.sealed }) });
  const after = await read(work, id);
  await audit(work, 'updated', {
    id,
    before,
    after: moved ? { ...after, secretWritten: true } : after,
  });
  return replaced ? { ...after, secret: replaced.secret, warnings: [secretReplaced] } : after;
}

const secretReplaced: Warning = {
  code: 'secret-replaced',
  path: '/url',
  message:
    'The signing secret was replaced: the new url has another origin. Verify events with the secret of this answer.',
};

async function remove(work: Work, id: string): Promise<undefined> {
  const before = webhookView(found(await lockWebhook(work.scope, id)));
  await deleteWebhook(work.scope, id);
  await audit(work, 'deleted', { id, before });
  return undefined;
}

async function replaceSecret(work: Work, id: string): Promise<WebhookWithSecret> {
  found(await lockWebhook(work.scope, id));
  const { secret, sealed } = newSecret(work, id);
  await updateWebhook(work.scope, { id, secret: sealed });
  const after = await read(work, id);
  await audit(work, 'updated', { id, after: { ...after, secretWritten: true } });
  return { ...after, secret };
}

/** A delivery that is still being attempted is refused, because it would be sent twice at once. */
async function sendAgain(work: Work, which: DeliveryOfWebhook): Promise<WebhookDelivery> {
  const { enabled } = await read(work, which.webhookId);
  const before = deliveryView(found(await lockDelivery(work.scope, which)));
  if (before.state === 'pending')
    throw new Problem(
      'conflict',
      `The event is still being sent: the next attempt is due at ${before.nextAttemptAt}. Only events that were delivered or given up can be resent.`,
    );
  if (!enabled)
    throw new Problem('conflict', 'The webhook is disabled. Enable it, then resend the event.');
  const after = deliveryView(await redeliver(work.scope, which));
  await audit(work, 'redelivered', { id: which.webhookId, before, after });
  return after;
}

/**
 * A URL that can never be reached is refused immediately; names are resolved with each delivery.
 */
function requireReachable(
  egress: WebhookPorts['egress'],
  { url }: Pick<WebhookPatch, 'url'>,
): void {
  if (url === undefined) return;
  try {
    egress.check(url);
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error;
    const errors = [{ path: '/url', message: error.message }];
    throw new Problem('body-invalid', 'Events cannot be sent to this address.', { errors });
  }
}

/** In the format of Standard Webhooks. */
function newSecret({ secretBox }: Work, id: string): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { secret, sealed: secretBox.seal(secret, secretContext.webhook(id)) };
}

async function read({ scope }: Work, id: string): Promise<Webhook> {
  return webhookView(found(await findWebhook(scope, id)));
}

async function audit(
  { scope, caller }: Work,
  change: 'created' | 'updated' | 'deleted' | 'redelivered',
  { id, ...states }: { id: string; before?: object; after?: object },
): Promise<void> {
  await appendAudit(scope, {
    actor: caller.actor,
    action: `webhook.${change}`,
    resourceType: 'webhook',
    resourceId: id,
    ...states,
  });
}
