import { Counter, Histogram, type Registry } from 'prom-client';

export type QuestionMetrics = {
  /** A leg of a question ended. */
  ended(state: 'answered' | 'failed' | 'waiting'): void;
  /** A worker resumed a question. */
  resumed(): void;
  /** How long a caller waited for its response. */
  waited(seconds: number): void;
};

const states = ['answered', 'failed', 'waiting'] as const;
const perRegistry = new WeakMap<Registry, QuestionMetrics>();

/** The metrics of a registry: the same ones each time, for apps that share a registry. */
export function questionMetrics(registry: Registry): QuestionMetrics {
  const metrics = perRegistry.get(registry) ?? createMetrics(registry);
  perRegistry.set(registry, metrics);
  return metrics;
}

function createMetrics(registry: Registry): QuestionMetrics {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'parley_questions_total',
    help: 'Questions that were answered, failed, or suspended to wait for approval, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const resumed = new Counter({
    name: 'parley_questions_resumed_total',
    help: 'Questions that a worker resumed after a decision or a crash.',
    registers,
  });
  const duration = new Histogram({
    name: 'parley_question_duration_seconds',
    help: 'How long callers waited for a response to their question.',
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers,
  });
  for (const outcome of states) outcomes.inc({ outcome }, 0);
  return {
    ended: (outcome) => outcomes.inc({ outcome }),
    resumed: () => resumed.inc(),
    waited: (seconds) => duration.observe(seconds),
  };
}
