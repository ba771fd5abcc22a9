/** What a member of an organization may do; each role includes the ones before it. */
export const roles = {
  viewer:
    'Read everything except the lists of API keys and members. The audit log names changes to them, without secrets.',
  approver: 'Decide approvals.',
  editor:
    'Change agents, connections, tasks, files, webhooks and conversations, and talk to agents.',
  owner: 'Manage API keys and members.',
} as const satisfies Record<string, string>;

export type Role = keyof typeof roles;

export const roleNames = Object.keys(roles) as Role[];

export function isRole(text: string): text is Role {
  return Object.hasOwn(roles, text);
}

/** Whether a role is at least the other one. */
export function includesRole(role: Role, needed: Role): boolean {
  return roleNames.indexOf(role) >= roleNames.indexOf(needed);
}
