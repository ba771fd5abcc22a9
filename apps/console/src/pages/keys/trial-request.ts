import type { Snippet } from '../../parts/code-block.js';

/**
 * The list to try, by the first of these scopes that the key has; a key that can read nothing tries
 * one that it may not.
 */
const lists = {
  agents: { path: 'Agent', method: 'agents' },
  conversations: { path: 'Conversation', method: 'conversations' },
  tasks: { path: 'Task', method: 'tasks' },
  realtime: { path: 'RealtimeSession', method: 'realtimeSessions' },
  approvals: { path: 'Approval', method: 'approvals' },
  connections: { path: 'Connection', method: 'connections' },
  webhooks: { path: 'Webhook', method: 'webhooks' },
  audit: { path: 'AuditLog', method: 'audit' },
} as const;

/**
 * A first request with the key, read from the environment so that it stays out of the shell's
 * history.
 */
export function trialOf({
  origin,
  organizationId,
  scopes,
}: {
  readonly origin: string;
  readonly organizationId: string;
  readonly scopes: readonly string[];
}): readonly [Snippet, Snippet] {
  const [, { path, method }] = Object.entries(lists).find(([scope]) => scopes.includes(scope)) ?? [
    '',
    lists.agents,
  ];
  return [
    {
      language: 'curl',
      code: `curl ${origin}/api/v1/${path} \\
  -H "X-Api-Key: $PARLEY_API_KEY" \\
  -H "X-Org-Id: ${organizationId}"`,
    },
    {
      language: 'TypeScript',
      code: `import { Parley } from '@parley/client/server';

const parley = new Parley({
  baseUrl: '${origin}',
  apiKey: process.env.PARLEY_API_KEY,
  organizationId: '${organizationId}',
});
console.log(await parley.${method}.list());`,
    },
  ];
}
