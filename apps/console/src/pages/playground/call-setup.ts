import type { ClientTool } from '@parley/client';
import type { RealtimeSessionRequest, RealtimeSessionResponse } from '@parley/client/server';
import type { Verdict } from './call-state.js';
import type { Wishes } from './wishes.js';

export type DecidedCall = {
  readonly callId: string;
  readonly conversationId: string;
  readonly state: 'approved' | 'rejected';
};

/** The page's settings and its access to the service, read when needed. */
export type CallSetup = {
  readonly wishes: Wishes;
  readonly pushToTalk: boolean;
  readonly tools: Readonly<Record<string, ClientTool>>;
  readonly create: (
    request: RealtimeSessionRequest,
    signal: AbortSignal,
  ) => Promise<RealtimeSessionResponse>;
  /** Decides over the API, if the session itself may not. */
  readonly decide: (callId: string, approve: boolean) => Promise<void>;
  /** Who decided a call that was not decided here. */
  readonly whoDecided: (call: DecidedCall) => Promise<Verdict | undefined>;
  /** The text could not be sent; put it back into the field. */
  readonly onUnsent: (text: string) => void;
  readonly onFailure: (error: unknown) => void;
};
