import {
  quotaLimits,
  quotaUse,
  usageOverTime,
  type Database,
  type OrganizationScope,
} from '@parley/database';
import { quotaNames, type QuotaLimits, type UsageReport } from '@parley/protocol';
import type { Handlers } from '../http/call.js';
import { intervalsOf } from './intervals.js';

export type UsagePorts = { database: Database; quotas: QuotaLimits };

export function usageOperations({ database, quotas }: UsagePorts): Pick<Handlers, 'getUsage'> {
  return {
    getUsage: {
      run({ caller, query: { From: from, To: to, Interval: interval = 'day', AgentId: agentId } }) {
        const { starts, end } = intervalsOf({ from, to, interval }, new Date());
        return database.inSnapshot(caller.organizationId, async (scope) => {
          const counted = await usageOverTime(scope, { starts, end, agentId });
          const items = counted.map((usage, index) => ({
            from: (starts[index] ?? end).toISOString(),
            ...usage,
          }));
          return { items, quotas: await quotasIn(scope, quotas) };
        });
      },
    },
  };
}

async function quotasIn(
  scope: OrganizationScope,
  defaults: QuotaLimits,
): Promise<UsageReport['quotas']> {
  const limits = await quotaLimits(scope, defaults);
  const uses: Partial<Record<string, (scope: OrganizationScope) => Promise<number>>> = quotaUse;
  const found: UsageReport['quotas'] = [];
  for (const name of quotaNames)
    found.push({ name, limit: limits[name], used: (await uses[name]?.(scope)) ?? null });
  return found;
}
