import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { UsageNote } from '../core/usage.js';
import type { Outcome } from './journal.js';
import type { RecordChange } from './record-changes.js';

export type RecordMetrics = {
  settled(change: { kind: RecordChange['kind']; outcome: Outcome; seconds: number }): void;
  retried(): void;
  used(usage: UsageNote): void;
};

export function recordMetrics(registry: Registry, waiting: () => number): RecordMetrics {
  const registers = [registry];
  const changes = new Counter({
    name: 'parley_realtime_record_changes_total',
    help: 'Changes of the record, by what they are and whether they were stored.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const lag = new Histogram({
    name: 'parley_realtime_record_lag_seconds',
    help: 'Time from a change of the record, such as something said, until PostgreSQL has it.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120],
    registers,
  });
  const retries = new Counter({
    name: 'parley_realtime_record_retries_total',
    help: 'Transactions that PostgreSQL could not take and that are tried again.',
    registers,
  });
  const tokens = new Counter({
    name: 'parley_realtime_tokens_total',
    help: 'Tokens that the provider counted, by model and kind. Cached ones are among the input’s text and audio.',
    labelNames: ['model', 'kind'],
    registers,
  });
  const seconds = new Counter({
    name: 'parley_realtime_transcribed_seconds_total',
    help: 'Sound that the provider transcribed and counted by time, by model.',
    labelNames: ['model'],
    registers,
  });
  new Gauge({
    name: 'parley_realtime_record_waiting',
    help: 'Changes of the record that wait for PostgreSQL.',
    registers,
    collect() {
      this.set(waiting());
    },
  });
  for (const kind of changeKinds)
    for (const outcome of ['stored', 'failed', 'gone']) changes.inc({ kind, outcome }, 0);
  return {
    settled({ kind, outcome, seconds }) {
      changes.inc({ kind, outcome });
      if (outcome === 'stored') lag.observe(seconds);
    },
    retried: () => retries.inc(),
    used({ model, counts }) {
      for (const [kind, field] of Object.entries(kinds))
        if (counts[field] > 0) tokens.inc({ model, kind }, counts[field]);
      if (counts.seconds > 0) seconds.inc({ model }, counts.seconds);
    },
  };
}

const changeKinds = ['message', 'amend', 'usage', 'end'] as const satisfies RecordChange['kind'][];

const kinds = {
  input_text: 'inputTextTokens',
  input_audio: 'inputAudioTokens',
  input_cached: 'inputCachedTokens',
  output_text: 'outputTextTokens',
  output_audio: 'outputAudioTokens',
} as const satisfies Record<string, keyof UsageNote['counts']>;
