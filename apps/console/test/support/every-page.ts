import type { Furnished } from './furnish.js';

/** Every page of the console, by the name of its picture. */
export function everyPage(made: Furnished): Readonly<Record<string, string>> {
  return {
    overview: '',
    playground: `playground?agent=${made.agentId}`,
    approvals: 'approvals',
    conversations: 'conversations',
    conversation: `conversations/${made.conversationId}`,
    live: 'live',
    agents: 'agents',
    'new-agent': 'agents/new',
    agent: `agents/${made.agentId}`,
    'agent-tools': `agents/${made.agentId}?tab=tools`,
    files: 'files',
    tasks: 'tasks',
    keys: 'keys',
    members: 'members',
    connections: 'connections',
    webhooks: 'webhooks',
    webhook: `webhooks/${made.webhookId}`,
    usage: 'usage',
    audit: 'audit',
  };
}
