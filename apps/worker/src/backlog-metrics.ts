import { Gauge, type Registry } from 'prom-client';
import type { approvalBacklog } from '@parley/database';
import { readOnScrape } from '@parley/service-kit';

/** Read from the deadlines themselves on each scrape, because dead timers report nothing. */
export function backlogMetrics(
  registry: Registry,
  backlog: () => ReturnType<typeof approvalBacklog>,
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
    collect() {
      const show = (read: Awaited<ReturnType<typeof backlog>>) => {
        this.set(read.waiting);
        overdue.set(read.oldestOverdueSeconds);
      };
      return readOnScrape(backlog, show, onError);
    },
  });
}
