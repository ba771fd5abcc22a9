import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RecordChange, SettledChange } from '@parley/database';
import type { UsageNote } from '../core/usage.js';

export type RecordMetrics = {
  settled(change: SettledChange): void;
  retried(): void;
  used(usage: UsageNote): void;
};

export function recordMetrics(registry: Registry, waiting: () => number): RecordMetrics {
  const registers = [registry];
  const changes = new Counter({
    name: 'parley_realtime_record_changes_total',
    help: 'Changes to the record, by kind and by whether they were stored.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const lag = new Histogram({
    name: 'parley_realtime_record_lag_seconds',
    help: 'Time from a change to the record, such as a message, until it is stored in PostgreSQL.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120],
    registers,
  });
  const retries = new Counter({
    name: 'parley_realtime_record_retries_total',
    help: 'Record transactions that failed and are retried.',
    registers,
  });
  const tokens = new Counter({
    name: 'parley_realtime_tokens_total',
    help: 'Tokens that the provider counted, by model and kind. Cached tokens are included in the text and audio input.',
    labelNames: ['model', 'kind'],
    registers,
  });
  const seconds = new Counter({
    name: 'parley_realtime_transcribed_seconds_total',
    help: 'Seconds of audio that the provider transcribed and billed by duration, by model.',
    labelNames: ['model'],
    registers,
  });
  new Gauge({
    name: 'parley_realtime_record_waiting',
    help: 'Changes to the record waiting to be stored in PostgreSQL.',
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

const changeKinds = [
  'message',
  'amend',
  'call',
  'usage',
  'end',
] as const satisfies RecordChange['kind'][];

const kinds = {
  input_text: 'inputTextTokens',
  input_audio: 'inputAudioTokens',
  input_cached: 'inputCachedTokens',
  output_text: 'outputTextTokens',
  output_audio: 'outputAudioTokens',
} as const satisfies Record<string, keyof UsageNote['counts']>;
