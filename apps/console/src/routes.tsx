import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { Gate } from './frame/gate.js';
import { Home } from './frame/home.js';
import { NotFound, PageFailed } from './frame/no-page.js';
import { Shell } from './frame/shell.js';
import { parseSearch, stringifySearch, texts } from './search.js';

const root = createRootRoute({ component: Gate, notFoundComponent: NotFound });
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });
const organization = createRoute({
  getParentRoute: () => root,
  path: '$organizationId',
  component: Shell,
});
const within = { getParentRoute: () => organization } as const;

/** Every page, with its search parameters. A page's code is loaded on navigation. */
const pages = [
  createRoute({
    ...within,
    path: '/',
    validateSearch: texts('days'),
    component: lazyRouteComponent(
      () => import('./pages/overview/overview-page.js'),
      'OverviewPage',
    ),
  }),
  createRoute({
    ...within,
    path: 'playground',
    validateSearch: texts('agent', 'conversation', 'tab'),
    component: lazyRouteComponent(
      () => import('./pages/playground/playground-page.js'),
      'PlaygroundPage',
    ),
  }),
  createRoute({
    ...within,
    path: 'approvals',
    validateSearch: texts('id', 'state', 'offset'),
    component: lazyRouteComponent(
      () => import('./pages/approvals/approvals-page.js'),
      'ApprovalsPage',
    ),
  }),
  createRoute({
    ...within,
    path: 'conversations',
    validateSearch: texts('q', 'agent', 'from', 'to', 'outcome', 'offset'),
    component: lazyRouteComponent(
      () => import('./pages/conversations/conversations-page.js'),
      'ConversationsPage',
    ),
  }),
  createRoute({
    ...within,
    path: 'conversations/$conversationId',
    validateSearch: texts('tab'),
    component: lazyRouteComponent(
      () => import('./pages/conversations/conversation-page.js'),
      'ConversationPage',
    ),
  }),
  createRoute({
    ...within,
    path: 'live',
    validateSearch: texts('agent', 'session', 'offset'),
    component: lazyRouteComponent(() => import('./pages/live/live-page.js'), 'LivePage'),
  }),
  createRoute({
    ...within,
    path: 'agents',
    validateSearch: texts('q', 'offset'),
    component: lazyRouteComponent(() => import('./pages/agents/agents-page.js'), 'AgentsPage'),
  }),
  createRoute({
    ...within,
    path: 'agents/new',
    component: lazyRouteComponent(() => import('./pages/agents/new-agent-page.js'), 'NewAgentPage'),
  }),
  createRoute({
    ...within,
    path: 'agents/$agentId',
    validateSearch: texts('tab', 'tool'),
    component: lazyRouteComponent(() => import('./pages/agents/agent-page.js'), 'AgentPage'),
  }),
  createRoute({
    ...within,
    path: 'files',
    validateSearch: texts('offset'),
    component: lazyRouteComponent(() => import('./pages/files/files-page.js'), 'FilesPage'),
  }),
  createRoute({
    ...within,
    path: 'tasks',
    validateSearch: texts('view', 'agent', 'state', 'id', 'offset'),
    component: lazyRouteComponent(() => import('./pages/tasks/tasks-page.js'), 'TasksPage'),
  }),
  createRoute({
    ...within,
    path: 'keys',
    validateSearch: texts('offset'),
    component: lazyRouteComponent(() => import('./pages/keys/keys-page.js'), 'KeysPage'),
  }),
  createRoute({
    ...within,
    path: 'members',
    validateSearch: texts('offset'),
    component: lazyRouteComponent(() => import('./pages/members/members-page.js'), 'MembersPage'),
  }),
  createRoute({
    ...within,
    path: 'connections',
    validateSearch: texts('id', 'offset'),
    component: lazyRouteComponent(
      () => import('./pages/connections/connections-page.js'),
      'ConnectionsPage',
    ),
  }),
  createRoute({
    ...within,
    path: 'webhooks',
    validateSearch: texts('offset'),
    component: lazyRouteComponent(
      () => import('./pages/webhooks/webhooks-page.js'),
      'WebhooksPage',
    ),
  }),
  createRoute({
    ...within,
    path: 'webhooks/$webhookId',
    validateSearch: texts('offset'),
    component: lazyRouteComponent(() => import('./pages/webhooks/webhook-page.js'), 'WebhookPage'),
  }),
  createRoute({
    ...within,
    path: 'usage',
    validateSearch: texts('from', 'to', 'interval', 'agent'),
    component: lazyRouteComponent(() => import('./pages/usage/usage-page.js'), 'UsagePage'),
  }),
  createRoute({
    ...within,
    path: 'audit',
    validateSearch: texts('actor', 'action', 'entity', 'from', 'to', 'id', 'offset'),
    component: lazyRouteComponent(() => import('./pages/audit/audit-page.js'), 'AuditPage'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([home, organization.addChildren(pages)]),
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
