import { createAgentRuntime, toolMetrics, type RuntimeSettings } from '@parley/agent-runtime';
import { openApprovalDesk } from '@parley/approvals';
import { waitingAmong, type Database, type RecordJournal, type SecretBox } from '@parley/database';
import type { Egress } from '@parley/egress';
import type { ProviderConnection } from '@parley/providers';
import type { Logger } from '@parley/service-kit';
import { openJobProducer, type Redis } from '@parley/session-store';
import type { Registry } from 'prom-client';
import type { Tools } from '../ports.js';
import { createTools } from './tools.js';

export type OpenToolsOptions = {
  readonly database: Database;
  /** The journal that also takes the ends of sessions. */
  readonly journal: RecordJournal;
  readonly secretBox: SecretBox;
  readonly redis: Redis;
  readonly egress: Egress;
  readonly settings: RuntimeSettings;
  readonly defaultConnection: ProviderConnection | undefined;
  readonly pod: string;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly closeMs: number;
};

/**
 * The agents' tools, on the stores of this process. Close them after the last session and before
 * the stores.
 */
export async function openTools(options: OpenToolsOptions): Promise<Tools> {
  const { database, redis, logger, registry } = options;
  const producer = await openJobProducer(redis, (err) => logger.warn({ err }, 'job queue error'));
  const approvals = openApprovalDesk({ database, redis, producer, registry, logger });
  const runtime = createAgentRuntime({
    ...options,
    approvals,
    metrics: toolMetrics(registry),
    report: (event, details) => logger.warn(details, event),
  });
  const tools = createTools({
    ...options,
    runtime,
    approvals,
    waitingAmong: (ids) => database.asSystem((system) => waitingAmong(system, ids)),
  });
  return {
    ...tools,
    async close() {
      await tools.close();
      await producer.close();
    },
  };
}
