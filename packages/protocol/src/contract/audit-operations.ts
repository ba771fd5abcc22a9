import { AuditExportQuery, AuditPage, AuditQuery, AuditVerification } from '../schemas/audit.js';
import type { Operation } from './operation.js';

export const auditOperations = {
  listAuditLog: {
    method: 'get',
    path: '/AuditLog',
    tag: 'AuditLog',
    summary: 'List audit records, oldest first',
    description: 'Returns a page of the organization’s audit log. Filters are combined.',
    scope: 'audit',
    query: AuditQuery,
    success: { status: 200, schema: AuditPage },
    problems: [],
  },
  exportAuditLog: {
    method: 'get',
    path: '/AuditLog/export',
    tag: 'AuditLog',
    summary: 'Stream all matching audit records, oldest first, as JSON lines or CSV',
    description:
      'For archives and other systems: any length, in constant memory. Resume an interrupted export with `After`.',
    scope: 'audit',
    query: AuditExportQuery,
    success: {
      status: 200,
      stream: ['application/x-ndjson', 'text/csv; charset=utf-8; header=present'],
      headers: {
        'Audit-Through':
          'The export contains the matching records up to this sequence; an interrupted response ends earlier. Resume it with `After`.',
      },
    },
    problems: [],
  },
  verifyAuditLog: {
    method: 'get',
    path: '/AuditLog/verification',
    tag: 'AuditLog',
    summary: 'Verify the hash chain of the audit log, from the first record to the last',
    description:
      'This takes a while for a long log. A request made while the log is being verified gets the result of that verification.',
    scope: 'audit',
    success: { status: 200, schema: AuditVerification },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
