/** What a key may do. `stops` completes "Whoever uses it can no longer …". */
export const scopes = {
  agents: { does: 'Read and change agents', stops: 'read or change agents' },
  connections: {
    does: 'Read and change provider connections',
    stops: 'read or change provider connections',
  },
  realtime: {
    does: 'Create realtime sessions, list and end live ones',
    stops: 'open, list or end realtime sessions',
  },
  questions: { does: 'Ask agents questions', stops: 'ask agents questions' },
  conversations: { does: 'Read and delete conversations', stops: 'read or delete conversations' },
  tasks: { does: 'Read and change tasks', stops: 'read or change tasks' },
  files: {
    does: 'Upload, read and delete temporary files',
    stops: 'upload, read or delete temporary files',
  },
  approvals: { does: 'List and decide approvals', stops: 'list or decide approvals' },
  webhooks: { does: 'Read and change webhooks', stops: 'read or change webhooks' },
  audit: { does: 'Read and export the audit log', stops: 'read or export the audit log' },
  admin: {
    does: 'Manage API keys and members. Such a key can grant itself everything else',
    stops: 'manage API keys and members',
  },
} as const;

export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as Scope[];

/**
 * The default scopes of a new key: all that an integration needs, but not the permission to create
 * keys.
 */
export const usualScopes: readonly Scope[] = scopeNames.filter((name) => name !== 'admin');

/** Unknown scopes of a newer service are shown by name. */
export function stoppedBy(names: readonly string[]): string[] {
  return names.map((name) => (isScope(name) ? scopes[name].stops : `use the scope ${name}`));
}

/** "All but admin", or each by its name. */
export function scopesText(names: readonly string[]): string {
  if (scopeNames.every((name) => names.includes(name))) return 'Everything';
  if (names.length === usualScopes.length && usualScopes.every((name) => names.includes(name)))
    return 'Everything but admin';
  return names.join(', ');
}

function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name);
}
