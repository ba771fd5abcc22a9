import {
  appendAudit,
  countMessages,
  deleteConversation,
  findConversation,
  listConversations,
  listMessages,
  lockConversation,
  sessionsOfConversation,
  type Database,
  type OrganizationScope,
} from '@parley/database';
import type { ConversationDetails } from '@parley/protocol';
import type { Call, Caller, Handlers } from '../http/call.js';
import { found } from '../http/found.js';
import type { EndSessions } from '../sessions/end-sessions.js';
import { conversationDetails, conversationView, messageView } from './conversation-view.js';

type ConversationHandlers = Pick<
  Handlers,
  'listConversations' | 'getConversation' | 'listMessages' | 'deleteConversation'
>;

export type ConversationPorts = { database: Database; endSessions: EndSessions };

export function conversationOperations({
  database,
  endSessions,
}: ConversationPorts): ConversationHandlers {
  const inSnapshot = <T>(caller: Caller, work: (scope: OrganizationScope) => Promise<T>) =>
    database.inSnapshot(caller.organizationId, work);

  return {
    listConversations: {
      run: ({ caller, query: { AgentId: agentId, Offset: offset = 0, Limit: limit = 0 } }) =>
        inSnapshot(caller, async (scope) => {
          const { items, total } = await listConversations(scope, { agentId }, { offset, limit });
          return { items: items.map(conversationView), total, offset, limit };
        }),
    },
    getConversation: {
      run: ({ caller, params }) =>
        inSnapshot(caller, (scope) => details(scope, params.conversationId)),
    },
    listMessages: {
      run: ({
        caller,
        params: { conversationId },
        query: { Offset: offset = 0, Limit: limit = 0 },
      }) =>
        inSnapshot(caller, async (scope) => {
          found(await findConversation(scope, conversationId));
          const { items, total } = await listMessages(scope, conversationId, { offset, limit });
          return { items: items.map(messageView), total, offset, limit };
        }),
    },
    deleteConversation: {
      run: async (call) => {
        const { organizationId } = call.caller;
        await database.inOrganization(organizationId, (scope) => remove(scope, call));
        await endSessions(organizationId, call.params);
        return undefined;
      },
    },
  };
}

async function details(scope: OrganizationScope, id: string): Promise<ConversationDetails> {
  const record = found(await findConversation(scope, id));
  const messageCount = await countMessages(scope, id);
  return conversationDetails({ ...record, messageCount }, await sessionsOfConversation(scope, id));
}

/** The audit record says what was deleted and how much of it, not what was said. */
async function remove(
  scope: OrganizationScope,
  { caller, params: { conversationId: id } }: Call<'deleteConversation'>,
): Promise<void> {
  const record = found(await lockConversation(scope, id));
  const messageCount = await countMessages(scope, id);
  await deleteConversation(scope, id);
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'conversation.deleted',
    resourceType: 'conversation',
    resourceId: id,
    before: conversationView({ ...record, messageCount }),
  });
}
