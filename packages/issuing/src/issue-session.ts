import {
  appendAudit,
  missingFiles,
  openConversation,
  type IssuableAgent,
  type OrganizationScope,
} from '@parley/database';
import {
  Problem,
  RealtimeSessionRequest,
  withDefaults,
  type ConnectionKind,
  type FieldError,
  type RealtimeSessionResponse,
} from '@parley/protocol';
import { connectionFor, hasBase, type ProviderConnection } from '@parley/providers';
import {
  orUnavailable,
  type IssuedToken,
  type SessionTicket,
  type SessionTokens,
} from '@parley/session-store';
import { checkClientTools } from './client-tools.js';
import { conversationFor } from './conversation-for.js';
import type { Caller } from './find-key.js';
import type { QuotaGuard } from './quota-guard.js';
import { requireAudioFormat, requireRealtime, type RealtimeFacts } from './realtime-rules.js';

/** The issuer's settings, by name. */
export type IssueSettings = {
  readonly REALTIME_ENABLED: boolean;
  readonly REALTIME_MODEL: string;
  readonly REALTIME_SESSION_TTL_SECONDS: number;
  readonly REALTIME_MAX_SESSION_SECONDS: number;
  readonly REALTIME_IDLE_TIMEOUT_SECONDS: number;
  readonly REALTIME_RESUME_GRACE_SECONDS: number;
  readonly REALTIME_INPUT_AUDIO_FORMATS: readonly string[];
  readonly REALTIME_OUTPUT_AUDIO_FORMATS: readonly string[];
};

export type IssuePorts = {
  readonly tokens: Pick<SessionTokens, 'issueWithin'>;
  readonly quotas: QuotaGuard;
  readonly settings: IssueSettings;
  /** For agents without a connection of their own. */
  readonly defaultConnection: ProviderConnection | undefined;
};

export type IssueWork = {
  readonly scope: OrganizationScope;
  readonly caller: Caller;
  readonly ports: IssuePorts;
  readonly agent: IssuableAgent;
  readonly traceparent: string | undefined;
  /** The lifetime of the token, if it is shorter than the deployment's. */
  readonly ttlSeconds?: number | undefined;
};

/**
 * Makes all checks that are possible now, and stores the ticket under a new token. Throws a Problem
 * or a RealtimeError.
 */
export async function issueSession(
  work: IssueWork,
  input: RealtimeSessionRequest,
): Promise<RealtimeSessionResponse> {
  const { scope, caller, ports, agent } = work;
  const { settings } = ports;
  requireRealtime(factsOf(work));
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
  refuseIf(checkClientTools(request.clientTools, new Set(agent.toolNames)));
  const mostTokens = ports.quotas.limit('tokensPerDay', agent.quotas);
  if (agent.tokensToday >= mostTokens) throw ports.quotas.reached('tokensPerDay', mostTokens);
  const fileIds = await filesFor(scope, request.fileIds);
  const { conversationId: given } = request;
  const conversationId =
    given === null
      ? await openConversation(scope, agent.id)
      : await conversationFor(scope, agent.id, given);
  const ticket: SessionTicket = {
    organizationId: caller.organizationId,
    agentId: agent.id,
    conversationId,
    ...caller.openedBy,
    voice: input.voice ?? agent.voice,
    turnDetection: input.turnDetection ?? agent.turnDetection,
    outputModalities: input.outputModalities ?? agent.outputModalities,
    ...formats,
    additionalInstructions: request.additionalInstructions,
    clientTools: request.clientTools,
    fileIds,
    ...(request.resumable && { resumable: true }),
    traceparent: work.traceparent,
  };
  // Inside the transaction: without a token, there is no new conversation either.
  const { token, expiresAt } = await issueToken(work, ticket);
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
    ...(request.resumable && { resumeGraceSeconds: settings.REALTIME_RESUME_GRACE_SECONDS }),
  };
}

/**
 * Sessions that were created but not opened do not count: a client beyond the limit is refused when
 * it opens its session.
 */
async function issueToken(
  { ports: { tokens, quotas, settings }, agent, ttlSeconds }: IssueWork,
  ticket: SessionTicket,
): Promise<IssuedToken> {
  const { REALTIME_SESSION_TTL_SECONDS: ttl } = settings;
  const mostLive = quotas.limit('realtimeSessions', agent.quotas);
  const seconds = Math.min(ttl, ttlSeconds ?? ttl);
  const issued = await orUnavailable(tokens.issueWithin(mostLive, ticket, seconds));
  if (!issued) throw quotas.reached('realtimeSessions', mostLive);
  return issued;
}

function factsOf({ ports, agent }: IssueWork): RealtimeFacts {
  const { settings, defaultConnection } = ports;
  const { connection: own } = agent;
  const target = own
    ? { kind: own.kind as ConnectionKind, baseUrl: own.baseUrl, secret: null }
    : null;
  const connection = connectionFor(target, defaultConnection);
  const isReachable = connection !== undefined && hasBase(connection);
  return {
    deploymentEnabled: settings.REALTIME_ENABLED,
    agent,
    connection: isReachable ? (own ?? { enabled: true, realtime: true, models: [] }) : undefined,
    deploymentModel: settings.REALTIME_MODEL,
  };
}

/** Another organization's file, an expired one and one that never existed get the same error. */
async function filesFor(scope: OrganizationScope, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return [];
  const ids = given.map((id) => id.toLowerCase());
  const missing = new Set(await missingFiles(scope, ids));
  const message = 'is not a temporary file of the organization, or has expired';
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
    throw new Problem('body-invalid', 'The session request is invalid.', { errors });
}
