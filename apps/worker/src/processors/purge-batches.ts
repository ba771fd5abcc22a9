import { appendAudit, type OrganizationScope } from '@parley/database';
import { batchSize, type JobContext, type JobResult } from '../job.js';

export type Purge = {
  readonly organizations: readonly string[];
  /** Deletes at most so many, and returns how many. */
  readonly remove: (scope: OrganizationScope, limit: number) => Promise<number>;
  readonly resourceType: string;
  /** Why they had to go, for the audit record. */
  readonly because: object;
};

/** One batch of each organization: its deletion and the audit record of it stand or fall together. */
export async function purgeBatches(
  { database }: JobContext,
  { organizations, remove, resourceType, because }: Purge,
): Promise<JobResult> {
  const counts: number[] = [];
  for (const id of organizations)
    counts.push(
      await database.inOrganization(id, async (scope) => {
        const count = await remove(scope, batchSize);
        if (count > 0)
          await appendAudit(scope, {
            actor: { kind: 'system', name: 'retention' },
            action: `${resourceType}.purged`,
            resourceType,
            resourceId: null,
            after: { count, ...because },
          });
        return count;
      }),
    );
  return {
    rows: counts.reduce((sum, count) => sum + count, 0),
    more: counts.some((count) => count === batchSize),
  };
}
