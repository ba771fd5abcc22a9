import {
  AudioLines,
  Bot,
  ChartColumn,
  FileText,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  MessagesSquare,
  Plug,
  Radio,
  ScrollText,
  ShieldCheck,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import type { Role } from '../api/account.js';

/** Every page of an organization, for the sidebar, the breadcrumb and the command palette. */
export const navigation = [
  {
    section: '',
    pages: [
      { to: '/$organizationId', label: 'Overview', icon: LayoutDashboard },
      { to: '/$organizationId/playground', label: 'Playground', icon: AudioLines },
      { to: '/$organizationId/approvals', label: 'Approvals', icon: ShieldCheck },
      { to: '/$organizationId/conversations', label: 'Conversations', icon: MessagesSquare },
      { to: '/$organizationId/live', label: 'Live', icon: Radio },
    ],
  },
  {
    section: 'Build',
    pages: [
      { to: '/$organizationId/agents', label: 'Agents', icon: Bot },
      { to: '/$organizationId/files', label: 'Files', icon: FileText },
      { to: '/$organizationId/tasks', label: 'Tasks', icon: ListChecks },
    ],
  },
  {
    section: 'Organization',
    pages: [
      { to: '/$organizationId/keys', label: 'API keys', icon: KeyRound, role: 'owner' },
      { to: '/$organizationId/members', label: 'Members', icon: Users, role: 'owner' },
      { to: '/$organizationId/connections', label: 'Connections', icon: Plug },
      { to: '/$organizationId/webhooks', label: 'Webhooks', icon: Webhook },
      { to: '/$organizationId/usage', label: 'Usage', icon: ChartColumn },
      { to: '/$organizationId/audit', label: 'Audit log', icon: ScrollText },
    ],
  },
] as const satisfies readonly Section[];

type Section = {
  readonly section: string;
  readonly pages: readonly {
    readonly to: `/$organizationId${string}`;
    readonly label: string;
    readonly icon: LucideIcon;
    /** Hidden from users with a lower role, whom the API refuses, too. */
    readonly role?: Role;
  }[];
};

export type NavigationPage = (typeof navigation)[number]['pages'][number];
