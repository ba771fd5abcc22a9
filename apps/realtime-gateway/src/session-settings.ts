import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { ConfigOf } from '@parley/service-kit';
import type { Opening } from './admission/choose-provider.js';
import type { CodeFor } from './core/own-ids.js';
import type { SessionSettings } from './core/session.js';
import type { Inheritance } from './ports.js';

export type GatewaySettings = Pick<
  ConfigOf<'realtime-gateway'>,
  | 'REALTIME_MODEL'
  | 'REALTIME_TRANSCRIPTION_MODEL'
  | 'REALTIME_MAX_SESSION_SECONDS'
  | 'REALTIME_IDLE_TIMEOUT_SECONDS'
  | 'REALTIME_CLIENT_TOOL_TIMEOUT_SECONDS'
  | 'REALTIME_RESUME_GRACE_SECONDS'
  | 'REALTIME_RESUME_BUFFER_BYTES'
  | 'REALTIME_RESUME_POD_BYTES'
  | 'SECRETS_KEY'
  | 'SECRETS_KEY_PREVIOUS'
  | 'REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS'
  | 'REALTIME_PROVIDER_RENEWALS'
  | 'REALTIME_MAX_MESSAGE_BYTES'
  | 'REALTIME_CLIENT_OVERRIDES'
  | 'REALTIME_REDACT_SESSION_ECHO'
  | 'REALTIME_MAX_SESSIONS'
  | 'PROVIDER_WARM_SOCKETS'
  | 'REALTIME_ALLOWED_ORIGINS'
>;

/** Combines the choices of the deployment, the agent and the session's creator. */
export function sessionSettings(
  { admitted, targets }: Pick<Opening, 'admitted' | 'targets'>,
  settings: GatewaySettings,
): SessionSettings {
  const { sessionId, ticket, agent, history, lastPosition, atDoor } = admitted;
  const { inherited } = admitted;
  return {
    agentId: ticket.agentId,
    model: agent.model ?? settings.REALTIME_MODEL,
    transcriptionModel: settings.REALTIME_TRANSCRIPTION_MODEL,
    voice: ticket.voice,
    turnDetection: ticket.turnDetection ?? { type: 'semantic_vad' },
    outputModalities: ticket.outputModalities ?? ['audio'],
    inputAudioFormat: ticket.inputAudioFormat,
    outputAudioFormat: ticket.outputAudioFormat,
    instructions: agent.systemMessage,
    additionalInstructions: ticket.additionalInstructions,
    backendTools: undefined,
    clientTools: ticket.clientTools,
    connectTimeoutSeconds: settings.REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS,
    idleTimeoutSeconds: settings.REALTIME_IDLE_TIMEOUT_SECONDS,
    maxSessionSeconds: secondsLeft(settings, inherited),
    clientToolTimeoutSeconds: settings.REALTIME_CLIENT_TOOL_TIMEOUT_SECONDS,
    // OpenAI clients do not know how to resume a session.
    resumeGraceSeconds: ticket.resumable && !atDoor ? settings.REALTIME_RESUME_GRACE_SECONDS : null,
    isRestored: inherited !== undefined,
    adopted: inherited?.calls ?? [],
    // OpenAI clients send session.update whether they want changes or not.
    clientOverrides: atDoor ? 'merge' : settings.REALTIME_CLIENT_OVERRIDES,
    redactSessionEcho: settings.REALTIME_REDACT_SESSION_ECHO,
    door: atDoor ? { conversationId: ticket.conversationId } : null,
    codeFor: secretCodes(sessionId),
    history,
    lastPosition,
    connectionIds: targets.map(({ connectionId }) => connectionId),
    providerRenewals: settings.REALTIME_PROVIDER_RENEWALS,
    jitter: Math.random(),
  };
}

/** All sessions of which one continues the other last as long as one. */
function secondsLeft(
  { REALTIME_MAX_SESSION_SECONDS: most }: GatewaySettings,
  inherited: Inheritance | undefined,
): number {
  return Math.max(0, most - (inherited?.elapsedSeconds ?? 0));
}

/** As a key object: Node 24 takes five times as long with bytes. */
const secret = createSecretKey(randomBytes(32));

/** The id of a session has a fixed length, so no two sessions have a code in common. */
function secretCodes(sessionId: string): CodeFor {
  return (name) =>
    createHmac('sha256', secret).update(sessionId).update(name).digest('base64url').slice(0, 12);
}
