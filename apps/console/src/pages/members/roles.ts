import type { Role } from '../../api/account.js';

/** What each role may do, in addition to the roles before it. */
export const roleTexts: Readonly<Record<Role, { readonly label: string; readonly does: string }>> =
  {
    viewer: { label: 'Viewer', does: 'Reads everything but API keys and members.' },
    approver: { label: 'Approver', does: 'Also decides approvals.' },
    editor: {
      label: 'Editor',
      does: 'Also talks to agents and changes agents, connections, tasks, files and webhooks.',
    },
    owner: { label: 'Owner', does: 'Also manages API keys and members.' },
  };
