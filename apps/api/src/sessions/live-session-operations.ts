import { appendAudit, type Database } from '@parley/database';
import type { LiveRealtimeSession } from '@parley/protocol';
import type { LiveSession, LiveSessions } from '@parley/session-store';
import type { Call, Handlers } from '../http/call.js';
import { notFound } from '../http/found.js';
import { pageOf } from '../http/query.js';
import { orUnavailable } from '../http/unavailable.js';

export type LiveSessionPorts = {
  database: Database;
  liveSessions: Pick<LiveSessions, 'list' | 'revoke'>;
};

type LiveSessionHandlers = Pick<Handlers, 'listRealtimeSessions' | 'endRealtimeSession'>;

export function liveSessionOperations(ports: LiveSessionPorts): LiveSessionHandlers {
  const { liveSessions } = ports;
  return {
    listRealtimeSessions: {
      run: async ({ caller, query }) => {
        const page = pageOf(query);
        const asked = {
          ...page,
          agentId: query.AgentId?.toLowerCase(),
          conversationId: query.ConversationId?.toLowerCase(),
        };
        const { items, total } = await orUnavailable(
          liveSessions.list(caller.organizationId, asked),
        );
        return { items: items.map(sessionView), total, ...page };
      },
    },
    endRealtimeSession: { run: (call) => end(ports, call) },
  };
}

/** Inside the transaction, so that a session that was not live leaves no audit record. */
async function end(
  { database, liveSessions }: LiveSessionPorts,
  { caller, params: { sessionId } }: Call<'endRealtimeSession'>,
): Promise<undefined> {
  const { organizationId, actor } = caller;
  return database.inOrganization(organizationId, async (scope) => {
    await appendAudit(scope, {
      actor,
      action: 'realtimeSession.revoked',
      resourceType: 'realtimeSession',
      resourceId: sessionId,
    });
    if (!(await orUnavailable(liveSessions.revoke(organizationId, sessionId)))) throw notFound();
    return undefined;
  });
}

function sessionView({ id, agentId, conversationId, startedAt }: LiveSession): LiveRealtimeSession {
  return { id, agentId, conversationId, startedAt };
}
