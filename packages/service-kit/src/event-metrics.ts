import { Counter, type Registry } from 'prom-client';

const outcomes = ['published', 'lost'] as const;

/** Counts the events sent to listeners of organizations. */
export function eventMetrics(
  registry: Registry,
): (outcome: (typeof outcomes)[number], events: number) => void {
  const events = new Counter({
    name: 'parley_events_total',
    help: 'Events published to the listeners of an organization, by outcome; lost means that Redis did not accept the event, and listeners are told to resync.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of outcomes) events.inc({ outcome }, 0);
  return (outcome, count) => events.inc({ outcome }, count);
}
