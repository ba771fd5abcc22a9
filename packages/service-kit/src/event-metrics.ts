import { Counter, type Registry } from 'prom-client';

const outcomes = ['published', 'lost'] as const;

/** Counts what the listeners of organizations are told. */
export function eventMetrics(
  registry: Registry,
): (outcome: (typeof outcomes)[number], events: number) => void {
  const events = new Counter({
    name: 'parley_events_total',
    help: 'Events for those who listen to an organization; lost ones were not taken by Redis, and listeners are told to read again.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of outcomes) events.inc({ outcome }, 0);
  return (outcome, count) => events.inc({ outcome }, count);
}
