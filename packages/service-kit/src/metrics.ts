import { getHeapStatistics } from 'node:v8';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export type Metrics = {
  readonly registry: Registry;
};

/**
 * A separate registry, so that several apps can share a process, with the process and event-loop
 * metrics.
 */
export function createMetrics({ app }: { readonly app: string }): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'parley_heap_limit_bytes',
    help: 'Heap size limit at which the process terminates.',
    registers: [registry],
    collect() {
      this.set(getHeapStatistics().heap_size_limit);
    },
  });
  return { registry };
}
