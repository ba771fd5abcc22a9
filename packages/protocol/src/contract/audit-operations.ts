import { AuditExportQuery, AuditPage, AuditQuery, AuditVerification } from '../schemas/audit.js';
import type { Operation } from './operation.js';

export const auditOperations = {
  listAuditLog: {
    method: 'get',
    path: '/AuditLog',
    tag: 'AuditLog',
    summary: 'List audit records, oldest first',
    description: 'A page of the organization’s log of changes; filters are combined.',
    scope: 'audit',
    query: AuditQuery,
    success: { status: 200, schema: AuditPage },
    problems: [],
  },
  exportAuditLog: {
    method: 'get',
    path: '/AuditLog/export',
    tag: 'AuditLog',
    summary: 'Stream all audit records of the filter, oldest first, as JSON lines or CSV',
    description:
      'For archives and other systems: of any length, in constant memory. Go on with `After` where an answer broke off.',
    scope: 'audit',
    query: AuditExportQuery,
    success: {
      status: 200,
      stream: ['application/x-ndjson', 'text/csv; charset=utf-8; header=present'],
      headers: {
        'Audit-Through':
          'The export holds what the filter admits up to this sequence; an answer that breaks off ends earlier. Go on with `After`.',
      },
    },
    problems: [],
  },
  verifyAuditLog: {
    method: 'get',
    path: '/AuditLog/verification',
    tag: 'AuditLog',
    summary: 'Verify the chain of the audit log, from the first record to the last',
    description:
      'A long log takes a while. Whoever asks while the log is being verified gets the answer of that walk.',
    scope: 'audit',
    success: { status: 200, schema: AuditVerification },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
