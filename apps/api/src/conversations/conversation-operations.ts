import {
  appendAudit,
  countMessages,
  deleteConversations,
  filesOfConversation,
  findConversation,
  listConversations,
  listMessages,
  lockConversation,
  messagesByIds,
  nextApprovals,
  nextMessages,
  nextTasks,
  outcomeOf,
  sessionsOfConversation,
  type ConversationFilter,
  type Database,
  type MessagePlace,
  type OrganizationScope,
} from '@parley/database';
import { operations, type ConversationDetails } from '@parley/protocol';
import { approvalView } from '../approvals/approval-operations.js';
import type { Call, Caller, Handlers, Streamed } from '../http/call.js';
import { found } from '../http/found.js';
import { longPage } from '../http/long-page.js';
import { pageOf } from '../http/query.js';
import type { EndSessions } from '../sessions/end-sessions.js';
import { taskView } from '../tasks/task-view.js';
import {
  conversationDetails,
  conversationFileView,
  conversationView,
  messageView,
} from './conversation-view.js';
import { exportChunks, type ExportSource } from './export-conversation.js';

type ConversationHandlers = Pick<
  Handlers,
  | 'listConversations'
  | 'getConversation'
  | 'listMessages'
  | 'exportConversation'
  | 'deleteConversation'
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
      run: ({ caller, query }) =>
        inSnapshot(caller, async (scope) => {
          const page = pageOf(query);
          const { items, total } = await listConversations(scope, filterOf(query), page);
          return { items: items.map(conversationView), total, ...page };
        }),
    },
    getConversation: {
      run: ({ caller, params }) =>
        inSnapshot(caller, (scope) => details(scope, params.conversationId)),
    },
    listMessages: {
      run: async ({ caller, params: { conversationId }, query }) => {
        const page = pageOf(query);
        const listed = await inSnapshot(caller, async (scope) => {
          found(await findConversation(scope, conversationId));
          return listMessages(scope, conversationId, page);
        });
        return longPage(
          { database, caller },
          {
            ...listed,
            ...page,
            idOf: ({ id }) => id,
            read: (scope, ids) => messagesByIds(scope, conversationId, ids),
            view: messageView,
          },
        );
      },
    },
    exportConversation: { run: (call) => exported(database, call) },
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

function filterOf(query: Call<'listConversations'>['query']): ConversationFilter {
  const { AgentId: agentId, Search: search, From: from, To: to, Outcome: outcome } = query;
  return {
    agentId,
    search,
    outcome,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

async function details(scope: OrganizationScope, id: string): Promise<ConversationDetails> {
  const record = found(await findConversation(scope, id));
  const messageCount = await countMessages(scope, id);
  const outcome = found(await outcomeOf(scope, id));
  const sessions = await sessionsOfConversation(scope, id);
  return conversationDetails({ ...record, messageCount, outcome }, sessions);
}

const [jsonObject] = operations.exportConversation.success.stream;
const batchRows = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

async function exported(
  database: Database,
  { caller: { organizationId }, params: { conversationId } }: Call<'exportConversation'>,
): Promise<Streamed> {
  const conversation = await database.inSnapshot(organizationId, (scope) =>
    details(scope, conversationId),
  );
  const read = <T>(next: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(organizationId, async (scope) => {
      found(await findConversation(scope, conversationId));
      return next(scope);
    });
  const parts = partsOf(read, conversationId);
  return {
    mediaType: jsonObject,
    headers: {
      'Content-Disposition': `attachment; filename="conversation-${conversationId}.json"`,
    },
    chunks: exportChunks({ conversation, parts }),
  };
}

type Read = <T>(next: (scope: OrganizationScope) => Promise<T>) => Promise<T>;

/** Each continues after its last batch; messages in spoken order, the others by id. */
function partsOf(read: Read, id: string): ExportSource['parts'] {
  let place: MessagePlace | undefined;
  let filesRead = false;
  const byId = <Row extends { id: string }>(
    next: (scope: OrganizationScope, after: string) => Promise<Row[]>,
    view: (row: Row) => object,
  ) => {
    let after = firstId;
    return async () => {
      const rows = await read((scope) => next(scope, after));
      after = rows.at(-1)?.id ?? after;
      return rows.map(view);
    };
  };
  return {
    messages: async () => {
      const after = place;
      const rows = await read((scope) => nextMessages(scope, id, { after, limit: batchRows }));
      place = rows.at(-1) ?? place;
      return rows.map(({ position: _, ...message }) => messageView(message));
    },
    approvals: byId(
      (scope, after) => nextApprovals(scope, id, { after, limit: batchRows }),
      approvalView,
    ),
    tasks: byId((scope, after) => nextTasks(scope, id, { after, limit: batchRows }), taskView),
    files: async () => {
      const rows = filesRead ? [] : await read((scope) => filesOfConversation(scope, id));
      filesRead = true;
      return rows.map(conversationFileView);
    },
  };
}

/** The audit record says what was deleted and how much, not what was said. */
async function remove(
  scope: OrganizationScope,
  { caller, params: { conversationId: id } }: Call<'deleteConversation'>,
): Promise<void> {
  const record = found(await lockConversation(scope, id));
  const messageCount = await countMessages(scope, id);
  await deleteConversations(scope, [id]);
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'conversation.deleted',
    resourceType: 'conversation',
    resourceId: id,
    before: { ...record, messageCount },
  });
}
