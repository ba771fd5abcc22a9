import { appendAudit, type OrganizationScope } from '@parley/database';

/** In the transaction of the deletion: neither is stored without the other. */
export async function recordPurge(
  scope: OrganizationScope,
  resourceType: 'conversation' | 'temporaryFile',
  after: { count: number; retentionDays?: number },
): Promise<void> {
  await appendAudit(scope, {
    actor: { kind: 'system', name: 'retention' },
    action: `${resourceType}.purged`,
    resourceType,
    resourceId: null,
    after,
  });
}
