import { Gauge, type Registry } from 'prom-client';
import { readOnScrape } from '@parley/service-kit';
import type { AuditState, AuditWatch } from '@parley/session-store';

/**
 * Read from the state that all workers share: every worker reports the same, whichever verified,
 * and a restart loses nothing.
 */
export function auditMetrics(
  registry: Registry,
  auditWatch: Pick<AuditWatch, 'read'>,
  onError: (error: unknown) => void,
): void {
  const gauge = (name: string, help: string, valueOf: (state: AuditState) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const show = (state: AuditState) => {
          const value = valueOf(state);
          if (value === undefined) this.remove();
          else this.set(value);
        };
        return readOnScrape(() => auditWatch.read(), show, onError);
      },
    });
  gauge(
    'parley_audit_chains_broken',
    'Organizations whose audit log failed the last complete verification, or the one in progress.',
    ({ walk, verified }) =>
      walk || verified ? Math.max(walk?.broken ?? 0, verified?.broken ?? 0) : undefined,
  );
  gauge(
    'parley_audit_verified_timestamp_seconds',
    'When the last verification of all audit logs ended, in Unix time; absent before the first.',
    ({ verified }) => (verified ? verified.endedAt / 1000 : undefined),
  );
}
