/** By kind of resource. Older records may have others, which the filter accepts, too. */
export const actionsByResource = {
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
} as const;

export const actions: readonly string[] = Object.entries(actionsByResource).flatMap(
  ([resource, verbs]) => verbs.map((verb) => `${resource}.${verb}`),
);

/** `realtimeSession` → "realtime session". */
export function resourceText(resourceType: string): string {
  return resourceType.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
