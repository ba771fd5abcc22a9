import { closeCodes } from './close-codes.js';

/**
 * Realtime domain errors: HTTP 400 with exactly {status, detail, errorCode}, or their close code.
 */
export const realtimeErrors = {
  RealtimeNotEnabled: {
    closeCode: null,
    doc: 'Realtime is disabled for the deployment, the agent or the key. Disable the realtime UI or contact the owner of the API.',
  },
  RealtimeUnsupportedConnection: {
    closeCode: null,
    doc: 'The agent’s connection does not support realtime audio or is disabled. Use an agent with a supported connection.',
  },
  RealtimeUnsupportedModel: {
    closeCode: null,
    doc: 'The agent’s model is not the realtime model that the deployment is configured for. Use an agent with a realtime-capable model.',
  },
  RealtimeAudioFormatUnsupported: {
    closeCode: null,
    doc: 'The requested audio format is not supported. Use a format from session creation, usually pcm16.',
  },
  RealtimeSessionInvalid: {
    closeCode: closeCodes.RealtimeSessionInvalid.code,
    doc: 'The session token is missing, unknown or mismatched. Create a new session and reconnect.',
  },
  RealtimeSessionExpired: {
    closeCode: closeCodes.RealtimeSessionExpired.code,
    doc: 'The token expired before the WebSocket connected. Create a new session and connect immediately.',
  },
  RealtimeSessionAlreadyUsed: {
    closeCode: closeCodes.RealtimeSessionAlreadyUsed.code,
    doc: 'The one-time token was already used. Create a new session; never retry the same token.',
  },
} as const satisfies Record<string, { closeCode: number | null; doc: string }>;

export type RealtimeErrorCode = keyof typeof realtimeErrors;

/** A realtime domain error (section 7.2 of the interface). */
export class RealtimeError extends Error {
  readonly errorCode: RealtimeErrorCode;

  constructor(errorCode: RealtimeErrorCode, detail: string) {
    super(detail);
    this.name = 'RealtimeError';
    this.errorCode = errorCode;
  }

  body(): { status: 400; detail: string; errorCode: RealtimeErrorCode } {
    return { status: 400, detail: this.message, errorCode: this.errorCode };
  }
}
