import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { toolLimits } from '@parley/protocol';
import type { CallEnding } from '../calls/endings.js';
import type { BoundTool } from './tool.js';

export type ToolMetrics = {
  readonly started: (kind: BoundTool['kind']) => void;
  readonly stopped: (kind: BoundTool['kind']) => void;
  readonly finished: (kind: BoundTool['kind'] | 'unknown', end: MeasuredEnd) => void;
};

/** The time is 0 if the tool never ran. */
type MeasuredEnd = { readonly ending: CallEnding; readonly executionMs: number };

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
    help: 'Completed tool calls, by kind of tool and outcome.',
    labelNames: ['kind', 'ending'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'parley_tool_call_seconds',
    help: 'How long tools ran, by kind of tool and outcome, not including the time spent waiting for approval.',
    labelNames: ['kind', 'ending'],
    buckets: [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, toolLimits.timeoutSeconds],
    registers: [registry],
  });
  const running = new Gauge({
    name: 'parley_tools_running',
    help: 'Running tools.',
    labelNames: ['kind'],
    registers: [registry],
  });
  return {
    started: (kind) => running.inc({ kind }),
    stopped: (kind) => running.dec({ kind }),
    finished(kind, { ending, executionMs }) {
      calls.inc({ kind, ending });
      if (executionMs > 0) duration.observe({ kind, ending }, executionMs / 1000);
    },
  };
}
