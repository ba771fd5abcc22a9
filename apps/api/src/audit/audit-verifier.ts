import { verifyAudit, type Transactor } from '@parley/database';
import type { AuditVerification } from '@parley/protocol';

export type VerifyAudit = (organizationId: string) => Promise<AuditVerification>;

/**
 * At most one verification of each log at a time: concurrent callers share its result, and so does
 * a caller that retries after losing the connection.
 */
export function auditVerifier(database: Pick<Transactor, 'inOrganization'>): VerifyAudit {
  const walks = new Map<string, Promise<AuditVerification>>();
  return (organizationId) => {
    const underWay = walks.get(organizationId);
    if (underWay) return underWay;
    const walk = verified(database, organizationId).finally(() => walks.delete(organizationId));
    walks.set(organizationId, walk);
    return walk;
  };
}

async function verified(
  database: Pick<Transactor, 'inOrganization'>,
  organizationId: string,
): Promise<AuditVerification> {
  const verdict = await verifyAudit(database, organizationId);
  const checkedAt = new Date().toISOString();
  if (verdict.ok)
    return { intact: true, records: verdict.records, brokenAt: null, reason: null, checkedAt };
  const { sequence: brokenAt, reason } = verdict;
  return { intact: false, records: Math.max(0, brokenAt - 1), brokenAt, reason, checkedAt };
}
