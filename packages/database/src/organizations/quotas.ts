import { sql } from 'kysely';
import { isQuotaName, type QuotaLimits, type QuotaName } from '@parley/protocol';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { today } from './usage.js';

/**
 * An organization's limits: its own if an administrator has set them, otherwise the deployment's.
 */
export async function quotaLimits(
  scope: OrganizationScope,
  defaults: QuotaLimits,
): Promise<QuotaLimits> {
  return { ...defaults, ...(await quotaOverrides(scope)) };
}

export async function quotaOverrides({
  organizationId,
  trx,
}: OrganizationScope): Promise<Partial<QuotaLimits>> {
  const rows = await trx
    .selectFrom('organizationQuotas')
    .select(['quota', 'value'])
    .where('organizationId', '=', organizationId)
    .execute();
  return Object.fromEntries(
    rows.flatMap(({ quota, value }) => (isQuotaName(quota) ? [[quota, value]] : [])),
  );
}

/** The same for the organization of the agent that a query selects. */
export const quotasOfAgent = sql<Partial<QuotaLimits>>`(
  select coalesce(jsonb_object_agg(quota, value), '{}') from organization_quotas q
  where q.organization_id = agents.organization_id
)`;

/** The tokens that the organization of the agent that a query selects has used today. */
export const tokensTodayOfAgent = sql<number>`coalesce((
  select tokens from usage_days u
  where u.organization_id = agents.organization_id and u.day = ${today}
), 0)`;

/** Null removes an override. */
export async function setQuotas(
  { trx }: SystemScope,
  organizationId: string,
  changes: ReadonlyMap<QuotaName, number | null>,
): Promise<void> {
  for (const [quota, value] of changes) {
    if (value === null)
      await trx
        .deleteFrom('organizationQuotas')
        .where('organizationId', '=', organizationId)
        .where('quota', '=', quota)
        .execute();
    else
      await trx
        .insertInto('organizationQuotas')
        .values({ organizationId, quota, value })
        .onConflict((conflict) =>
          conflict.columns(['organizationId', 'quota']).doUpdateSet({ value }),
        )
        .execute();
  }
}

/** Until the transaction ends, nobody else can use more of the quota. */
export async function holdQuota(
  { organizationId, trx }: OrganizationScope,
  quota: QuotaName,
): Promise<void> {
  const key = `parley quota ${quota} ${organizationId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
}

/** The current usage of each quota that PostgreSQL counts. */
export const quotaUse = {
  /** From PostgreSQL; the registry of live sessions decides about admission. */
  realtimeSessions: ({ organizationId, trx }) =>
    numberOf(
      trx
        .selectFrom('realtimeSessions')
        .select((eb) => eb.fn.countAll<number>().as('used'))
        .where('organizationId', '=', organizationId)
        .where('endedAt', 'is', null),
    ),
  /** Runs whose holder died do not count, because their lease has expired. */
  questions: ({ organizationId, trx }) =>
    numberOf(
      trx
        .selectFrom('runs')
        .select((eb) => eb.fn.countAll<number>().as('used'))
        .where('organizationId', '=', organizationId)
        .where('state', '=', 'open')
        .where('leaseUntil', '>', sql<Date>`now()`),
    ),
  fileBytes: ({ organizationId, trx }) =>
    numberOf(
      trx
        .selectFrom('temporaryFiles')
        .select(sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('used'))
        .where('organizationId', '=', organizationId)
        .where('uploadedAt', 'is not', null)
        .where('expiresAt', '>', sql<Date>`now()`),
    ),
  tokensPerDay: ({ organizationId, trx }) =>
    numberOf(
      trx
        .selectFrom('usageDays')
        .select('tokens as used')
        .where('organizationId', '=', organizationId)
        .where('day', '=', today),
    ),
} as const satisfies Partial<Record<QuotaName, (scope: OrganizationScope) => Promise<number>>>;

async function numberOf(query: {
  executeTakeFirst(): Promise<{ used: number } | undefined>;
}): Promise<number> {
  return (await query.executeTakeFirst())?.used ?? 0;
}

/** Which of these organizations have used up today's tokens. */
export async function withoutTokens(
  { trx }: SystemScope,
  organizationIds: readonly string[],
  defaultLimit: number,
): Promise<string[]> {
  const quota: QuotaName = 'tokensPerDay';
  const rows = await trx
    .selectFrom('organizations')
    .leftJoin('usageDays', (join) =>
      join.onRef('usageDays.organizationId', '=', 'organizations.id').on('day', '=', today),
    )
    .leftJoin('organizationQuotas', (join) =>
      join
        .onRef('organizationQuotas.organizationId', '=', 'organizations.id')
        .on('quota', '=', quota),
    )
    .select('organizations.id')
    .where('organizations.id', '=', sql<string>`any(${organizationIds}::uuid[])`)
    .where(
      sql<boolean>`coalesce(usage_days.tokens, 0) >= coalesce(organization_quotas.value, ${defaultLimit})`,
    )
    .execute();
  return rows.map(({ id }) => id);
}
