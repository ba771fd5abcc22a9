import { Counter, Gauge, type Registry } from 'prom-client';
import type { ToolMetrics } from './call-machine.js';

const perRegistry = new WeakMap<Registry, ToolMetrics>();

/** The metrics of a registry: the same ones each time, for apps that share a registry. */
export function toolMetrics(registry: Registry): ToolMetrics {
  const metrics = perRegistry.get(registry) ?? createMetrics(registry);
  perRegistry.set(registry, metrics);
  return metrics;
}

function createMetrics(registry: Registry): ToolMetrics {
  const calls = new Counter({
    name: 'parley_tool_calls_total',
    help: 'Tool calls that ended, by kind of tool and by how they ended.',
    labelNames: ['kind', 'ending'],
    registers: [registry],
  });
  const running = new Gauge({
    name: 'parley_tools_running',
    help: 'Tools that are running now.',
    labelNames: ['kind'],
    registers: [registry],
  });
  return {
    started: (kind) => running.inc({ kind }),
    stopped: (kind) => running.dec({ kind }),
    finished: (kind, ending) => calls.inc({ kind, ending }),
  };
}
