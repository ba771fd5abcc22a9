import type { ParleyError } from '../errors.js';
import type { Approval, Message, ToolCall } from './conversation.js';
import type { AudioChunk } from './player.js';

/** The events of `session.on` in addition to the raw events. */
export type SessionEvents = {
  state: StateChange;
  transcript: Message;
  audio: AudioChunk;
  tool: ToolCall;
  approval: Approval;
  /** An error that does not end the session: an `error` event of the provider or the service. */
  error: SessionProblem;
};

/**
 * A state and its reason: `error` is set if a connection was lost or a session refused, `resumed`
 * if the same session is open again, with nothing missing.
 */
export type StateChange = {
  readonly state: SessionState;
  readonly error?: ParleyError;
  readonly resumed?: true;
};

export type SessionState = 'connecting' | 'open' | 'reconnecting' | 'closed';

export type SessionProblem = {
  readonly code: string | null;
  readonly message: string;
};

/** A raw event of the WebSocket. */
export type RawEvent = { readonly type: string; readonly [field: string]: unknown };
