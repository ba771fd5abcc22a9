/** What a key may do. A key without `realtime` cannot create realtime sessions. */
export const scopes = {
  agents: 'Read and change agents.',
  connections: 'Read and change provider connections.',
  realtime: 'Create realtime sessions, list and end live ones.',
  questions: 'Ask agents questions.',
  conversations: 'Read and delete conversations.',
  tasks: 'Read and change tasks.',
  files: 'Upload, read and delete temporary files.',
  approvals: 'List and decide approvals.',
  webhooks: 'Read and change webhooks.',
  audit: 'Read and export the audit log.',
  admin: 'Manage API keys and members, as an owner can.',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

export const allScopes = Object.keys(scopes) as Scope[];

/** The scopes of a key if none are given: nobody gets `admin` by leaving something out. */
export const defaultScopes = allScopes.filter((scope) => scope !== 'admin');

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}
