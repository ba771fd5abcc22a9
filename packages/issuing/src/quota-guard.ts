import { quotaOverrides, quotaUse, type OrganizationScope } from '@parley/database';
import { Problem, quotas, type QuotaLimits, type QuotaName } from '@parley/protocol';

/** Refuses what would exceed a quota of an organization. */
export type QuotaGuard = {
  /** `more` is what the request would add to the current usage. */
  require(scope: OrganizationScope, quota: QuotaName, use: QuotaDemand): Promise<void>;
  /** The limit for an organization with these limits of its own. */
  limit(quota: QuotaName, own: Partial<QuotaLimits>): number;
  /** Counts the refusal, and returns it. */
  reached(quota: QuotaName, limit: number): Problem;
  /** Refuses if no model may be called today. */
  requireTokens(scope: OrganizationScope): Promise<void>;
};

export type QuotaDemand = { readonly used: number; readonly more: number };

export type QuotaGuardOptions = {
  readonly defaults: QuotaLimits;
  readonly metrics: { refused(quota: QuotaName): void };
};

export function quotaGuard({ defaults, metrics }: QuotaGuardOptions): QuotaGuard {
  const guard: QuotaGuard = {
    async require(scope, quota, { used, more }) {
      const limit = guard.limit(quota, await quotaOverrides(scope));
      if (used + more > limit) throw guard.reached(quota, limit);
    },
    limit: (quota, own) => own[quota] ?? defaults[quota],
    reached(quota, limit) {
      metrics.refused(quota);
      return quotaReached(quota, limit);
    },
    async requireTokens(scope) {
      const used = await quotaUse.tokensPerDay(scope);
      await guard.require(scope, 'tokensPerDay', { used, more: 1 });
    },
  };
  return guard;
}

function quotaReached(quota: QuotaName, limit: number): Problem {
  const { retryAfterSeconds } = quotas[quota];
  const seconds = quota === 'tokensPerDay' ? secondsLeftToday(new Date()) : retryAfterSeconds;
  return new Problem(
    'quota-reached',
    `The organization has reached its quota ${quota} of ${limit}.`,
    { quota, headers: { 'Retry-After': String(seconds) } },
  );
}

/** The time until the current UTC day is over. */
export function secondsLeftToday(now: Date): number {
  const tomorrow = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  return Math.ceil((tomorrow - now.getTime()) / 1000);
}
