import {
  findAgent,
  findConnection,
  findConnectionSecret,
  secretContext,
  startRealtimeSession,
  violatedConstraint,
  type AgentRecord,
  type Database,
  type OrganizationScope,
  type SecretBox,
} from '@parley/database';
import type { ConnectionKind, RealtimeErrorCode, Tool } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import type { AdmitOutcome, AdmitRequest, SessionRecords } from '../ports.js';
import { backendTools } from './backend-tools.js';

export type SessionRecordsOptions = { readonly database: Database; readonly secretBox: SecretBox };

/** Admission on PostgreSQL: the fence and everything that the session needs are one transaction. */
export function createSessionRecords(options: SessionRecordsOptions): SessionRecords {
  return {
    async admit(request) {
      try {
        return await options.database.inOrganization(request.organizationId, (scope) =>
          admitIn(scope, request, options.secretBox),
        );
      } catch (error) {
        // The agent or the conversation was deleted after the session had been created.
        if (violatedConstraint(error)?.endsWith('_fkey')) return refused('RealtimeSessionInvalid');
        throw error;
      }
    },
  };
}

async function admitIn(
  scope: OrganizationScope,
  request: AdmitRequest,
  secretBox: SecretBox,
): Promise<AdmitOutcome> {
  const { sessionId: id, tokenHash, agentId, conversationId } = request;
  const session = { id, tokenHash, agentId, conversationId };
  if (!(await startRealtimeSession(scope, session))) return refused('RealtimeSessionAlreadyUsed');
  const agent = await findAgent(scope, agentId);
  if (!agent) return refused('RealtimeSessionInvalid');
  if (!agent.realtimeEnabled) return refused('RealtimeNotEnabled');
  const connection = await connectionOf(scope, agent, secretBox);
  if (connection === 'unusable') return refused('RealtimeUnsupportedConnection');
  const { systemMessage, model } = agent;
  const tools = backendTools(agent.tools as Tool[]);
  return { outcome: 'admitted', agent: { systemMessage, model, tools }, connection };
}

async function connectionOf(
  scope: OrganizationScope,
  { connectionId }: AgentRecord,
  secretBox: SecretBox,
): Promise<ProviderConnection | null | 'unusable'> {
  if (connectionId === null) return null;
  const connection = await findConnection(scope, connectionId);
  if (!connection?.enabled || !connection.realtime) return 'unusable';
  const sealed = await findConnectionSecret(scope, connectionId);
  const secret = sealed && secretBox.open(sealed, secretContext.connection(connectionId));
  return { kind: connection.kind as ConnectionKind, baseUrl: connection.baseUrl, secret };
}

function refused(errorCode: RealtimeErrorCode): AdmitOutcome {
  return { outcome: 'refused', errorCode };
}
