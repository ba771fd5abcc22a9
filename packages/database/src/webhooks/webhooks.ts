import { sql, type Selectable } from 'kysely';
import type { OrganizationScope } from '../postgres/database.js';
import { countRows, pageIds, type PageOf, type PageRequest } from '../postgres/page.js';
import type { WebhookTable } from '../postgres/schema.js';

export type WebhookRecord = Omit<Selectable<WebhookTable>, 'organizationId' | 'secret'>;
export type WebhookFields = { url: string; events: string[]; enabled: boolean };

/** More would turn one change into a flood of requests. */
export const maxWebhooks = 20;

const columns = ['id', 'url', 'events', 'enabled', 'createdAt', 'updatedAt'] as const;

export async function listWebhooks(
  scope: OrganizationScope,
  page: PageRequest,
): Promise<PageOf<WebhookRecord>> {
  const total = await countRows(webhooksOf(scope));
  const ids = pageIds(webhooksOf(scope), { orderedBy: 'createdAt', total, ...page });
  const items = await scope.trx
    .selectFrom('webhooks')
    .select(columns)
    .where('id', 'in', ids)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return { items, total };
}

export async function countWebhooks(scope: OrganizationScope): Promise<number> {
  return countRows(webhooksOf(scope));
}

export async function findWebhook(
  scope: OrganizationScope,
  id: string,
): Promise<WebhookRecord | undefined> {
  return webhooksOf(scope).select(columns).where('id', '=', id).executeTakeFirst();
}

export async function lockWebhook(
  scope: OrganizationScope,
  id: string,
): Promise<WebhookRecord | undefined> {
  return webhooksOf(scope).select(columns).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function insertWebhook(
  { organizationId, trx }: OrganizationScope,
  webhook: WebhookFields & { id: string; secret: Buffer },
): Promise<void> {
  await trx
    .insertInto('webhooks')
    .values({ ...webhook, organizationId })
    .execute();
}

export async function updateWebhook(
  { organizationId, trx }: OrganizationScope,
  { id, ...fields }: Partial<WebhookFields> & { id: string; secret?: Buffer },
): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ ...fields, updatedAt: sql<Date>`now()` })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export async function deleteWebhook(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<void> {
  await trx
    .deleteFrom('webhooks')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

function webhooksOf({ organizationId, trx }: OrganizationScope) {
  return trx.selectFrom('webhooks').where('organizationId', '=', organizationId);
}
