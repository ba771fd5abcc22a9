import { Gauge, type Registry } from 'prom-client';
import type { Approvals } from '@parley/session-store';

/** Read from the deadlines themselves when somebody asks: timers that are dead count nothing. */
export function backlogMetrics(
  registry: Registry,
  approvals: Pick<Approvals, 'backlog'>,
  onError: (error: unknown) => void,
): void {
  const registers = [registry];
  const overdue = new Gauge({
    name: 'parley_approvals_overdue_seconds',
    help: 'How far the most overdue approval is past its deadline. More than 15 means that nothing expires them.',
    registers,
  });
  new Gauge({
    name: 'parley_approvals_waiting',
    help: 'Approvals waiting for a decision, across all instances.',
    registers,
    async collect() {
      try {
        const { waiting, oldestOverdueSeconds } = await approvals.backlog();
        this.set(waiting);
        overdue.set(oldestOverdueSeconds);
      } catch (error) {
        onError(error);
      }
    },
  });
}
