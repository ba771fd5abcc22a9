import { Counter, Gauge, type Registry } from 'prom-client';

export type EventStreamMetrics = {
  opened(): void;
  closed(reason: (typeof ends)[number]): void;
};

const ends = ['left', 'slow'] as const;

export function eventStreamMetrics(registry: Registry): EventStreamMetrics {
  const registers = [registry];
  const open = new Gauge({
    name: 'parley_event_streams',
    help: 'Open event streams of this process.',
    registers,
  });
  const closed = new Counter({
    name: 'parley_event_streams_closed_total',
    help: 'Event streams that ended, by reason; slow means that the reader fell too far behind.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of ends) closed.inc({ reason }, 0);
  return {
    opened: () => open.inc(),
    closed(reason) {
      open.dec();
      closed.inc({ reason });
    },
  };
}
