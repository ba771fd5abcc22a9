import { collectDefaultMetrics, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
}

/** A registry of its own, so that several apps can live in one process, with the process and event-loop metrics. */
export function createMetrics({ app }: { readonly app: string }): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  collectDefaultMetrics({ register: registry });
  return { registry };
}
