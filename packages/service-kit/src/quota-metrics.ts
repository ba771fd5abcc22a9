import { Counter, type Registry } from 'prom-client';

export type QuotaMetrics<Name extends string = string> = {
  /** Something was refused or ended because an organization has used up a quota. */
  refused(quota: Name): void;
};

const perRegistry = new WeakMap<Registry, QuotaMetrics>();

/** The metrics of a registry: the same ones each time, for apps that share a registry. */
export function quotaMetrics<Name extends string>(
  registry: Registry,
  names: readonly Name[],
): QuotaMetrics<Name> {
  const metrics = perRegistry.get(registry) ?? createMetrics(registry, names);
  perRegistry.set(registry, metrics);
  return metrics;
}

function createMetrics(registry: Registry, names: readonly string[]): QuotaMetrics {
  const refusals = new Counter({
    name: 'parley_quota_refusals_total',
    help: 'Requests refused and sessions ended because an organization reached a quota, by quota.',
    labelNames: ['quota'],
    registers: [registry],
  });
  for (const quota of names) refusals.inc({ quota }, 0);
  return { refused: (quota) => refusals.inc({ quota }) };
}
