import { Counter, Gauge, type Registry } from 'prom-client';
import type { UnresumableReason } from '@parley/protocol';
import type { EndName } from '../metrics.js';

/** What can be measured about the resumable sessions of this process. */
export type ResumableSizes = {
  readonly bytes: number;
  /** How many sessions are without a connection. */
  readonly detached: number;
};

export type ResumeMetrics = {
  resumed(): void;
  /** A session of another pod is continued from the record. */
  restored(): void;
  /** A session has ended without a connection. */
  missed(end: EndName): void;
  passedOn(): void;
  /** The pod of a session could not be reached, so the session is continued from the record. */
  unreachable(): void;
  unresumable(reason: UnresumableReason): void;
};

export function resumeMetrics(registry: Registry, sizes: () => ResumableSizes): ResumeMetrics {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'parley_realtime_resumes_total',
    help: 'Resumable sessions whose client came back (resumed), that were continued from the record after their gateway had gone (restored), or that ended without a connection, by the name of the end.',
    labelNames: ['outcome'],
    registers,
  });
  const passedOn = new Counter({
    name: 'parley_realtime_resumes_passed_on_total',
    help: 'Clients that were passed on to another gateway, which has their session.',
    registers,
  });
  const unreachable = new Counter({
    name: 'parley_realtime_peers_unreachable_total',
    help: 'Clients whose session is on another gateway that could not be reached; their sessions are continued from the record if possible.',
    registers,
  });
  const unresumable = new Counter({
    name: 'parley_realtime_unresumable_total',
    help: 'Sessions that can no longer be resumed because too much was kept for their clients, by reason.',
    labelNames: ['reason'],
    registers,
  });
  new Gauge({
    name: 'parley_realtime_resume_buffered_bytes',
    help: 'Size of the messages that are kept until the clients of resumable sessions acknowledge them.',
    registers,
    collect() {
      this.set(sizes().bytes);
    },
  });
  new Gauge({
    name: 'parley_realtime_sessions_detached',
    help: 'Resumable sessions that wait for their client to reconnect.',
    registers,
    collect() {
      this.set(sizes().detached);
    },
  });
  for (const outcome of ['resumed', 'restored', 'ClientGone']) outcomes.inc({ outcome }, 0);
  for (const reason of ['SessionBufferFull', 'InstanceBufferFull'] satisfies UnresumableReason[])
    unresumable.inc({ reason }, 0);
  return {
    resumed: () => outcomes.inc({ outcome: 'resumed' }),
    restored: () => outcomes.inc({ outcome: 'restored' }),
    missed: (outcome) => outcomes.inc({ outcome }),
    passedOn: () => passedOn.inc(),
    unreachable: () => unreachable.inc(),
    unresumable: (reason) => unresumable.inc({ reason }),
  };
}
