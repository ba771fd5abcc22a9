/** The known actions, by type of resource. The filter accepts others, too. */
const byResource = {
  agent: ['created', 'updated', 'deleted'],
  approval: ['approved', 'rejected', 'expired', 'cancelled'],
  connection: ['created', 'updated', 'deleted'],
  conversation: ['deleted', 'purged'],
  key: ['created', 'updated', 'revoked'],
  member: ['created', 'updated', 'removed'],
  organization: ['created', 'updated'],
  realtimeSession: ['revoked'],
  task: ['created', 'updated', 'deleted'],
  temporaryFile: ['uploaded', 'deleted', 'purged'],
  user: ['created', 'removed'],
  webhook: ['created', 'updated', 'deleted', 'redelivered', 'secretReplaced'],
} as const;

export const actions: readonly string[] = Object.entries(byResource).flatMap(([resource, verbs]) =>
  verbs.map((verb) => `${resource}.${verb}`),
);

/** `realtimeSession` → "realtime session". */
export function resourceText(resourceType: string): string {
  return resourceType.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
