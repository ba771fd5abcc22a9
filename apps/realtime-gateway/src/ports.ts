import type { RealtimeErrorCode } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import type { ToolDeclaration } from './core/session.js';

export type AdmitRequest = {
  /** The session's own id: in logs and in the record, unlike its token. */
  readonly sessionId: string;
  readonly tokenHash: Buffer;
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
};

export type AdmittedAgent = {
  readonly systemMessage: string;
  /** Null follows the deployment's model. */
  readonly model: string | null;
  readonly tools: readonly ToolDeclaration[];
};

export type AdmitOutcome =
  | {
      readonly outcome: 'admitted';
      readonly agent: AdmittedAgent;
      /** Null is the deployment's default connection. */
      readonly connection: ProviderConnection | null;
    }
  | { readonly outcome: 'refused'; readonly errorCode: RealtimeErrorCode };

/**
 * The record's part in admission. It keeps every token's hash for good, so that a token which Redis forgot to be spent,
 * after a failover or a restore, still opens nothing: the second admission of a hash is RealtimeSessionAlreadyUsed.
 */
export type SessionRecords = { admit(request: AdmitRequest): Promise<AdmitOutcome> };
