import { appendAudit, forbidTakeOver, type Database } from '@parley/database';
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

/**
 * The row is locked until Redis has answered, so that no pod continues the session meanwhile. A
 * session that was not live leaves no audit record, and can be continued as before.
 */
async function end(
  { database, liveSessions }: LiveSessionPorts,
  { caller, params: { sessionId } }: Call<'endRealtimeSession'>,
): Promise<undefined> {
  const { organizationId, actor } = caller;
  return database.inOrganization(organizationId, async (scope) => {
    if (!(await forbidTakeOver(scope, sessionId))) throw notFound();
    if (!(await orUnavailable(liveSessions.revoke(organizationId, sessionId)))) throw notFound();
    await appendAudit(scope, {
      actor,
      action: 'realtimeSession.revoked',
      resourceType: 'realtimeSession',
      resourceId: sessionId,
    });
    return undefined;
  });
}

function sessionView({ id, agentId, conversationId, startedAt }: LiveSession): LiveRealtimeSession {
  return { id, agentId, conversationId, startedAt };
}
