import type { Traffic } from '@parley/client';
import { learned, noFacts, type Facts } from './call-facts.js';
import { emptyLog, logged, type EventLog } from './event-log.js';
import { connected, measured, noLatency, type Latency } from './latency.js';
import { noUsage, used, type Usage } from './usage.js';

/** State accumulated from the events of the sessions. */
export type Records = {
  readonly log: EventLog;
  readonly latency: Latency;
  readonly usage: Usage;
  readonly facts: Facts;
};

export const noRecords: Records = {
  log: emptyLog,
  latency: noLatency,
  usage: noUsage,
  facts: noFacts,
};

export function recorded(
  { log, latency, usage, facts }: Records,
  traffic: Traffic,
  at: number,
): Records {
  const opens = !traffic.sent && traffic.event.type === 'session.updated';
  return {
    log: logged(log, traffic, at),
    latency: measured(opens ? connected(latency, 'open', at) : latency, traffic, at),
    usage: traffic.sent ? usage : used(usage, traffic.event, at),
    facts: learned(facts, traffic, at),
  };
}
