/**
 * What is recorded in an organization's audit log: the kinds of resource, and what happens to them.
 * A log may hold actions of earlier versions as well.
 */
export const auditActions = {
  agent: ['created', 'updated', 'deleted', 'toolTried', 'resealed'],
  approval: ['approved', 'rejected'],
  connection: ['created', 'updated', 'deleted', 'resealed'],
  conversation: ['deleted', 'purged'],
  key: ['created', 'updated', 'revoked'],
  member: ['created', 'updated', 'deleted', 'linkIssued', 'passwordSet'],
  organization: ['created', 'updated', 'deleted'],
  realtimeSession: ['created', 'revoked'],
  task: ['created', 'updated', 'deleted'],
  temporaryFile: ['uploaded', 'deleted', 'purged'],
  webhook: ['created', 'updated', 'deleted', 'redelivered', 'resealed'],
} as const satisfies Record<string, readonly string[]>;

type Audited = typeof auditActions;

/** In the form `resource.whatHappened`. */
export type AuditAction = {
  [Resource in keyof Audited]: `${Resource}.${Audited[Resource][number]}`;
}[keyof Audited];
