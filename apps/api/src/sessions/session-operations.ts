import { issuableAgentById, type Database } from '@parley/database';
import { issueSession, type IssuePorts, type IssueSettings } from '@parley/issuing';
import type { Logger } from '@parley/service-kit';
import type { Handlers } from '../http/call.js';
import type { ApiMetrics } from '../metrics.js';

export type SessionSettings = IssueSettings;

export type SessionPorts = IssuePorts & {
  database: Database;
  logger: Logger;
  metrics: Pick<ApiMetrics, 'issued'>;
};

export function sessionOperations(ports: SessionPorts): Pick<Handlers, 'createRealtimeSession'> {
  const { database, logger, metrics } = ports;
  return {
    createRealtimeSession: {
      async visible({ caller: { organizationId }, params: { agentId: id } }) {
        const [agent] = await database.read(organizationId, issuableAgentById, {
          organizationId,
          id,
        });
        return agent;
      },
      async run({ caller, params, seen: agent, body, traceparent, commit }) {
        const issued = await commit((scope) =>
          issueSession({ scope, caller, ports, agent, traceparent }, body),
        );
        metrics.issued();
        const { organizationId, openedBy } = caller;
        const { conversationId } = issued;
        logger.info(
          { organizationId, agentId: params.agentId, conversationId, ...openedBy },
          'session issued',
        );
        return issued;
      },
    },
  };
}
