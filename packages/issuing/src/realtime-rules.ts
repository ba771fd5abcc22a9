import { isAudioFormat, RealtimeError, type AudioFormat } from '@parley/protocol';

/** Everything that decides whether users can talk to an agent, looked up in advance. */
export type RealtimeFacts = {
  deploymentEnabled: boolean;
  agent: { realtimeEnabled: boolean; model: string | null };
  /** Undefined if there is none, or it has no address. */
  connection: { enabled: boolean; realtime: boolean; models: readonly string[] } | undefined;
  deploymentModel: string;
};

export function requireRealtime(facts: RealtimeFacts): void {
  const { agent, connection, deploymentModel } = facts;
  if (!facts.deploymentEnabled)
    throw new RealtimeError('RealtimeNotEnabled', 'Realtime is disabled for this deployment.');
  if (!agent.realtimeEnabled)
    throw new RealtimeError('RealtimeNotEnabled', 'Realtime is disabled for this agent.');
  if (!connection)
    throw new RealtimeError(
      'RealtimeUnsupportedConnection',
      'The agent has no connection with a base URL, and the deployment has no default provider.',
    );
  if (!connection.enabled)
    throw new RealtimeError('RealtimeUnsupportedConnection', 'The agent’s connection is disabled.');
  if (!connection.realtime)
    throw new RealtimeError(
      'RealtimeUnsupportedConnection',
      'The agent’s connection does not support realtime audio.',
    );
  const model = agent.model ?? deploymentModel;
  if (model !== deploymentModel)
    throw new RealtimeError(
      'RealtimeUnsupportedModel',
      `The agent’s model is not the realtime model of this deployment, ${deploymentModel}.`,
    );
  if (connection.models.length > 0 && !connection.models.includes(model))
    throw new RealtimeError(
      'RealtimeUnsupportedModel',
      'The agent’s connection does not offer the realtime model of this deployment.',
    );
}

export function requireAudioFormat(
  direction: 'input' | 'output',
  requested: string,
  supported: readonly string[],
): AudioFormat {
  if (isAudioFormat(requested) && supported.includes(requested)) return requested;
  throw new RealtimeError(
    'RealtimeAudioFormatUnsupported',
    `The ${direction} audio format is not supported. Supported: ${supported.join(', ')}.`,
  );
}
