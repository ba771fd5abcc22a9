import { findAgent, type Database } from '@parley/database';
import { issueSession, type IssuePorts, type IssueSettings } from '@parley/issuing';
import type { Logger } from '@parley/service-kit';
import type { Handlers } from '../http/call.js';
import { found } from '../http/found.js';
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
      visible: ({ caller, params }) =>
        database.inOrganization(
          caller.organizationId,
          async (scope) => (await findAgent(scope, params.agentId)) !== undefined,
        ),
      async run({ caller, params, body, traceparent, commit }) {
        const issued = await commit(async (scope) => {
          const agent = found(await findAgent(scope, params.agentId));
          return issueSession({ scope, caller, ports, agent, traceparent }, body);
        });
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
