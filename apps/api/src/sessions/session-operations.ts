import {
  appendAudit,
  findAgent,
  findConnection,
  missingFiles,
  type AgentRecord,
  type Database,
  type OrganizationScope,
} from '@parley/database';
import {
  Problem,
  RealtimeSessionRequest,
  withDefaults,
  type ConnectionKind,
  type FieldError,
  type RealtimeSessionResponse,
  type Tool,
} from '@parley/protocol';
import { connectionFor, realtimeEndpoint, type ProviderConnection } from '@parley/providers';
import type { ConfigOf, Logger } from '@parley/service-kit';
import type { LiveSessions, SessionTicket, SessionTokens } from '@parley/session-store';
import { conversationFor } from '../conversations/conversation-for.js';
import type { Caller, Handlers } from '../http/call.js';
import { found } from '../http/found.js';
import type { QuotaGuard } from '../http/quota-guard.js';
import { orUnavailable } from '../http/unavailable.js';
import type { ApiMetrics } from '../metrics.js';
import { checkClientTools } from './client-tools.js';
import { requireAudioFormat, requireRealtime, type RealtimeFacts } from './realtime-rules.js';

export type SessionSettings = Pick<
  ConfigOf<'api'>,
  | 'REALTIME_ENABLED'
  | 'REALTIME_MODEL'
  | 'REALTIME_SESSION_TTL_SECONDS'
  | 'REALTIME_MAX_SESSION_SECONDS'
  | 'REALTIME_IDLE_TIMEOUT_SECONDS'
  | 'REALTIME_INPUT_AUDIO_FORMATS'
  | 'REALTIME_OUTPUT_AUDIO_FORMATS'
>;

export type SessionPorts = {
  database: Database;
  tokens: Pick<SessionTokens, 'issue'>;
  liveSessions: Pick<LiveSessions, 'count'>;
  quotas: QuotaGuard;
  settings: SessionSettings;
  /** For agents without a connection of their own. */
  defaultConnection: ProviderConnection | undefined;
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
          return issue({ scope, caller, ports, agent, traceparent }, body);
        });
        metrics.issued();
        const { organizationId, keyId } = caller;
        const { conversationId } = issued;
        logger.info(
          { organizationId, agentId: params.agentId, conversationId, keyId },
          'session issued',
        );
        return issued;
      },
    },
  };
}

type Work = {
  scope: OrganizationScope;
  caller: Caller;
  ports: SessionPorts;
  agent: AgentRecord;
  traceparent: string | undefined;
};

async function issue(work: Work, input: RealtimeSessionRequest): Promise<RealtimeSessionResponse> {
  const { scope, caller, ports, agent } = work;
  const { settings } = ports;
  requireRealtime(await factsOf(work));
  const request = withDefaults(RealtimeSessionRequest, input) as Required<RealtimeSessionRequest>;
  const formats = {
    inputAudioFormat: requireAudioFormat(
      'input',
      request.inputAudioFormat,
      settings.REALTIME_INPUT_AUDIO_FORMATS,
    ),
    outputAudioFormat: requireAudioFormat(
      'output',
      request.outputAudioFormat,
      settings.REALTIME_OUTPUT_AUDIO_FORMATS,
    ),
  };
  const backendToolNames = new Set((agent.tools as Tool[]).map(({ name }) => name));
  refuseIf(checkClientTools(request.clientTools, backendToolNames));
  await requireQuotas(work);
  const fileIds = await filesFor(scope, request.fileIds);
  const conversationId = await conversationFor(scope, agent.id, request.conversationId);
  const ticket: SessionTicket = {
    organizationId: caller.organizationId,
    agentId: agent.id,
    conversationId,
    keyId: caller.keyId,
    voice: input.voice ?? agent.voice,
    turnDetection: input.turnDetection ?? agent.turnDetection,
    outputModalities: input.outputModalities ?? agent.outputModalities,
    ...formats,
    additionalInstructions: request.additionalInstructions,
    clientTools: request.clientTools,
    fileIds,
    traceparent: work.traceparent,
  };
  // Inside the transaction: without a token there is no new conversation either.
  const { token, expiresAt } = await orUnavailable(
    ports.tokens.issue(ticket, settings.REALTIME_SESSION_TTL_SECONDS),
  );
  await record(scope, caller, ticket);
  return {
    sessionId: token,
    conversationId,
    expiresAt: expiresAt.toISOString(),
    webSocketPath: `/api/v1/Agent/${agent.id}/realtime?conversationId=${conversationId}&sessionId=${token}`,
    supportedInputAudioFormats: [...settings.REALTIME_INPUT_AUDIO_FORMATS],
    supportedOutputAudioFormats: [...settings.REALTIME_OUTPUT_AUDIO_FORMATS],
    maxSessionSeconds: settings.REALTIME_MAX_SESSION_SECONDS,
    idleTimeoutSeconds: settings.REALTIME_IDLE_TIMEOUT_SECONDS,
    providerModelName: agent.model ?? settings.REALTIME_MODEL,
  };
}

/** Sessions that were created and not opened do not count: who comes too late is refused when it opens its own. */
async function requireQuotas({ scope, ports: { quotas, liveSessions } }: Work): Promise<void> {
  await quotas.requireTokens(scope);
  const used = await orUnavailable(liveSessions.count(scope.organizationId));
  await quotas.require(scope, 'realtimeSessions', { used, more: 1 });
}

async function factsOf(work: Work): Promise<RealtimeFacts> {
  const { ports, agent } = work;
  return {
    deploymentEnabled: ports.settings.REALTIME_ENABLED,
    agent,
    connection: await connectionFacts(work),
    deploymentModel: ports.settings.REALTIME_MODEL,
  };
}

async function connectionFacts({
  scope,
  ports,
  agent,
}: Work): Promise<RealtimeFacts['connection']> {
  const own =
    agent.connectionId === null ? undefined : await findConnection(scope, agent.connectionId);
  const target = own
    ? { kind: own.kind as ConnectionKind, baseUrl: own.baseUrl, secret: null }
    : null;
  const connection = connectionFor(target, ports.defaultConnection);
  const model = agent.model ?? ports.settings.REALTIME_MODEL;
  if (!connection || !realtimeEndpoint({ ...connection, model })) return undefined;
  return own ?? { enabled: true, realtime: true, models: [] };
}

/** Another organization's file, one that has expired and one that never was are told alike. */
async function filesFor(scope: OrganizationScope, given: readonly string[]): Promise<string[]> {
  const ids = given.map((id) => id.toLowerCase());
  const missing = new Set(await missingFiles(scope, ids));
  const message = 'is no temporary file of the organization, or one that has expired';
  refuseIf(ids.flatMap((id, n) => (missing.has(id) ? [{ path: `/fileIds/${n}`, message }] : [])));
  return [...new Set(ids)];
}

async function record(
  scope: OrganizationScope,
  caller: Caller,
  ticket: SessionTicket,
): Promise<void> {
  const { agentId, conversationId, voice, turnDetection, outputModalities } = ticket;
  const { clientTools, fileIds } = ticket;
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'realtimeSession.created',
    resourceType: 'conversation',
    resourceId: conversationId,
    after: {
      agentId,
      conversationId,
      voice,
      turnDetection,
      outputModalities,
      clientTools: clientTools.map(({ name }) => name),
      fileIds,
    },
  });
}

function refuseIf(errors: FieldError[]): void {
  if (errors.length > 0)
    throw new Problem('body-invalid', 'The session cannot be created like this.', { errors });
}
