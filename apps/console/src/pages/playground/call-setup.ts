import type { ClientTool } from '@parley/client';
import type { RealtimeSessionRequest, RealtimeSessionResponse } from '@parley/client/server';
import type { Verdict } from './call-state.js';
import type { Wishes } from './wishes.js';

export type DecidedCall = {
  readonly callId: string;
  readonly conversationId: string;
  readonly state: 'approved' | 'rejected';
};

/** What the page has set, and how it reaches the service: read whenever it is needed. */
export type CallSetup = {
  readonly wishes: Wishes;
  readonly pushToTalk: boolean;
  readonly tools: Readonly<Record<string, ClientTool>>;
  readonly create: (
    request: RealtimeSessionRequest,
    signal: AbortSignal,
  ) => Promise<RealtimeSessionResponse>;
  /** Decides over the API, where the session itself may not. */
  readonly decide: (callId: string, approve: boolean) => Promise<void>;
  /** Who decided about a call that was not decided here. */
  readonly whoDecided: (call: DecidedCall) => Promise<Verdict | undefined>;
  /** What was typed could not be sent: it goes back to where it was typed. */
  readonly onUnsent: (text: string) => void;
  readonly onFailure: (error: unknown) => void;
};
