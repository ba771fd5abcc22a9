import { createAgentRuntime, toolMetrics, type RuntimeSettings } from '@parley/agent-runtime';
import { approvalMetrics, decideInRecord, measureDecisions } from '@parley/approvals';
import { waitingAmong, type Database, type SecretBox } from '@parley/database';
import type { Egress } from '@parley/egress';
import type { ProviderConnection } from '@parley/providers';
import type { Logger } from '@parley/service-kit';
import { createApprovals, createJobProducer, type Redis } from '@parley/session-store';
import type { Registry } from 'prom-client';
import type { Tools } from '../ports.js';
import type { DecisionRecord } from './decisions.js';
import { createTools } from './tools.js';

export type OpenToolsOptions = {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly redis: Redis;
  readonly egress: Egress;
  readonly settings: RuntimeSettings;
  readonly defaultConnection: ProviderConnection | undefined;
  readonly pod: string;
  readonly logger: Logger;
  readonly registry: Registry;
};

/** The agents' tools on the stores of this process. Close them after the last session, and before the stores. */
export function openTools(options: OpenToolsOptions): Tools {
  const { database, redis, logger, registry } = options;
  const metrics = approvalMetrics(registry);
  const approvals = measureDecisions(createApprovals(redis), metrics);
  const jobs = createJobProducer(redis, (err) => logger.warn({ err }, 'job queue unreachable'));
  const runtime = createAgentRuntime({
    ...options,
    approvals,
    jobs,
    metrics: toolMetrics(registry),
    report: (event, details) => logger.warn(details, event),
  });
  const record: DecisionRecord = {
    waitingAmong: (ids) => database.asSystem((system) => waitingAmong(system, ids)),
    decide: (call, approval, by) => decideInRecord({ database, metrics }, call, { approval, by }),
  };
  const tools = createTools({ ...options, runtime, approvals, record });
  return {
    ...tools,
    async close() {
      await tools.close();
      await jobs.close();
    },
  };
}
