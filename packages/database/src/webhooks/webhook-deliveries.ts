import { sql } from 'kysely';
import { withoutDetails, type WebhookEvent, type WebhookEventData } from '@parley/protocol';
import { announce } from './announced.js';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { countRows, pageIds, type PageOf, type PageRequest } from '../postgres/page.js';

/**
 * Stores an event for each webhook that subscribes to it, in the transaction of the change itself:
 * neither happens without the other. The worker sends it, at least once. Live listeners are
 * notified after the commit.
 */
export function announceEvent<Type extends WebhookEvent>(
  { organizationId, trx }: OrganizationScope,
  type: Type,
  data: WebhookEventData[Type],
): Promise<void> {
  return announceEvents({ trx }, type, [{ organizationId, data }]);
}

/** The same for many at once, of any organizations. */
export async function announceEvents<Type extends WebhookEvent>(
  { trx }: SystemScope,
  type: Type,
  events: readonly { organizationId: string; data: WebhookEventData[Type] }[],
): Promise<void> {
  for (const { organizationId, data } of events)
    announce({ organizationId, trx }, type, withoutDetails(type, data));
  const organizationIds = events.map(({ organizationId }) => organizationId);
  const bodies = events.map(({ data }) => bodyOf(type, data));
  // If a webhook is being deleted, this waits, and it then no longer exists.
  await sql`
    insert into webhook_deliveries (organization_id, webhook_id, event, body)
    select webhooks.organization_id, webhooks.id, ${type}::text, told.body
    from unnest(${organizationIds}::uuid[], ${bodies}::text[]) as told (organization_id, body)
    join webhooks on webhooks.organization_id = told.organization_id
    where webhooks.enabled and ${type}::text = any(webhooks.events)
    for key share of webhooks
  `.execute(trx);
}

function bodyOf(type: WebhookEvent, data: object): string {
  return JSON.stringify({ type, timestamp: new Date().toISOString(), data });
}

export type DueDelivery = {
  id: string;
  organizationId: string;
  webhookId: string;
  url: string;
  secret: Buffer;
  body: string;
  /** Including this one. */
  attempts: number;
};

export type DeliveryClaim = {
  /**
   * Seconds from the first attempt to the second, and so on; there is one more attempt than there
   * are delays.
   */
  retryDelays: readonly number[];
  /** Limit per webhook, so that one that hangs does not delay the others. */
  perWebhook: number;
  limit: number;
};

/**
 * Takes deliveries that are due, organization by organization in turn. Taking one counts as an
 * attempt and schedules the next, so that what a dead worker had taken is sent again by another.
 */
export async function takeDueDeliveries(
  { trx }: SystemScope,
  { retryDelays, perWebhook, limit }: DeliveryClaim,
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with found as materialized (
      select webhooks.organization_id, oldest.* from webhooks
      cross join lateral (
        select id, next_attempt_at from webhook_deliveries
        where webhook_id = webhooks.id and next_attempt_at <= now()
        order by next_attempt_at limit ${perWebhook}
        for update skip locked
      ) oldest
      where webhooks.enabled
    ), due as (
      select id from found
      order by row_number() over (partition by organization_id order by next_attempt_at), next_attempt_at
      limit ${limit}
    )
    update webhook_deliveries d
    set attempts = d.attempts + 1,
        next_attempt_at = now() + make_interval(secs => (${sql.val(retryDelays)}::float8[])[d.attempts + 1])
    from due, webhooks
    where d.id = due.id and webhooks.id = d.webhook_id
    returning d.id, d.organization_id, d.webhook_id, d.body, d.attempts, webhooks.url, webhooks.secret
  `.execute(trx);
  return rows;
}

/** How long the oldest due delivery has been waiting; 0 if there is none. */
export async function deliveriesOverdueSeconds({ trx }: SystemScope): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(oldest.next_attempt_at)), 0)::float8 as seconds
    from webhooks
    cross join lateral (
      select next_attempt_at from webhook_deliveries
      where webhook_id = webhooks.id and next_attempt_at <= now()
      order by next_attempt_at limit 1
    ) oldest
    where webhooks.enabled
  `.execute(trx);
  return rows[0]?.seconds ?? 0;
}

export type DeliveryResult = { delivered: boolean; status: number | null; error: string | null };

export async function recordDelivery(
  { trx }: SystemScope,
  id: string,
  { delivered, status, error }: DeliveryResult,
): Promise<void> {
  await trx
    .updateTable('webhookDeliveries')
    .set({
      lastStatus: status,
      lastError: error,
      ...(delivered && { deliveredAt: sql<Date>`now()`, nextAttemptAt: null }),
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteOldDeliveries(
  { trx }: SystemScope,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const result = await trx
    .with('old', (db) =>
      db
        .selectFrom('webhookDeliveries')
        .select('id')
        .where('createdAt', '<', sql<Date>`now() - make_interval(days => ${days})`)
        .orderBy('createdAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('webhookDeliveries')
    .where('id', 'in', (db) => db.selectFrom('old').select('old.id'))
    .executeTakeFirstOrThrow();
  return Number(result.numDeletedRows);
}

export type DeliveryRecord = {
  id: string;
  event: string;
  attempts: number;
  createdAt: Date;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
};

const shown = [
  'id',
  'event',
  'attempts',
  'createdAt',
  'nextAttemptAt',
  'deliveredAt',
  'lastStatus',
  'lastError',
] as const;

export async function listDeliveries(
  { organizationId, trx }: OrganizationScope,
  webhookId: string,
  page: PageRequest,
): Promise<PageOf<DeliveryRecord>> {
  const own = trx
    .selectFrom('webhookDeliveries')
    .where('organizationId', '=', organizationId)
    .where('webhookId', '=', webhookId);
  const total = await countRows(own);
  const items = await trx
    .selectFrom('webhookDeliveries')
    .select(shown)
    .where('id', 'in', pageIds(own, { orderedBy: 'createdAt', total, ...page }))
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return { items, total };
}

export type DeliveryOfWebhook = { webhookId: string; deliveryId: string };

export async function lockDelivery(
  { organizationId, trx }: OrganizationScope,
  { webhookId, deliveryId }: DeliveryOfWebhook,
): Promise<DeliveryRecord | undefined> {
  return trx
    .selectFrom('webhookDeliveries')
    .select(shown)
    .where('organizationId', '=', organizationId)
    .where('webhookId', '=', webhookId)
    .where('id', '=', deliveryId)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Makes a finished delivery due again. Its attempts keep counting, so that one that was given up
 * gets a single further attempt.
 */
export async function redeliver(
  { organizationId, trx }: OrganizationScope,
  { webhookId, deliveryId }: DeliveryOfWebhook,
): Promise<DeliveryRecord> {
  return trx
    .updateTable('webhookDeliveries')
    .set({ deliveredAt: null, nextAttemptAt: sql<Date>`now()` })
    .where('organizationId', '=', organizationId)
    .where('webhookId', '=', webhookId)
    .where('id', '=', deliveryId)
    .returning(shown)
    .executeTakeFirstOrThrow();
}
