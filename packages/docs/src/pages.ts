/**
 * The pages in the order of the sidebar, each with its name there. Most are pages/NAME.md;
 * `sources.ts` has the others.
 */
export const sections = [
  {
    title: 'Get started',
    pages: {
      index: 'Overview',
      'quick-start': 'Quick start',
      'first-agent': 'Your first agent',
      questions: 'Questions in text',
      files: 'Files',
      conversations: 'Conversations',
    },
  },
  {
    title: 'Tools',
    pages: {
      'http-tools': 'HTTP tools',
      'mcp-tools': 'MCP tools',
      'sub-agents': 'Sub-agents',
      'built-in-tools': 'Built-in tools',
      'client-tools': 'Client tools',
      approvals: 'Approvals',
      'private-addresses': 'Private addresses',
    },
  },
  {
    title: 'Connect',
    pages: {
      widget: 'Widget for your page',
      browser: 'From a browser',
      reconnecting: 'Lost connections',
      telephony: 'Telephony and audio',
      typescript: 'TypeScript',
      'own-sdk': 'OpenAI SDKs',
      webhooks: 'Webhooks',
      events: 'Events',
    },
  },
  { title: 'Models', pages: { providers: 'Providers', simulator: 'Simulator' } },
  {
    title: 'Run it',
    pages: {
      settings: 'Settings',
      tls: 'TLS and proxies',
      keys: 'Keys and scopes',
      accounts: 'People and roles',
      limits: 'Limits and quotas',
      operations: 'Operations',
      deployment: 'Deployment',
      upgrading: 'Upgrading',
      security: 'Security in short',
      'security-model': 'Security model',
    },
  },
  {
    title: 'Help',
    pages: { troubleshooting: 'Troubleshooting', errors: 'Errors and close codes' },
  },
  {
    title: 'Reference',
    pages: {
      api: 'API reference',
      realtime: 'Realtime events',
      client: 'TypeScript client',
      'whats-new': 'What’s new',
    },
  },
] as const satisfies readonly { title: string; pages: Readonly<Record<string, string>> }[];

type KeysOfEach<T> = T extends unknown ? keyof T : never;
export type PageName = KeysOfEach<(typeof sections)[number]['pages']>;

export function pathOf(name: PageName): string {
  return name === 'index' ? '/docs' : `/docs/${name}`;
}
