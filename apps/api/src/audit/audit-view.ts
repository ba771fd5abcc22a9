import type { AuditRecord as StoredRecord } from '@parley/database';
import type { AuditRecord } from '@parley/protocol';

type State = AuditRecord['before'];

export function auditView(record: StoredRecord): AuditRecord {
  return {
    ...record,
    actor: record.actor as AuditRecord['actor'],
    before: record.before as State,
    after: record.after as State,
    occurredAt: record.occurredAt.toISOString(),
    previousHash: record.previousHash.toString('hex'),
    hash: record.hash.toString('hex'),
  };
}
