import type { RawEvent } from './session-events.js';

/**
 * What `create` passes to your backend, for the body of
 * `POST /api/v1/Agent/{agentId}/realtime-session`.
 */
export type SessionRequest = {
  /** The conversation to continue: absent the first time, set when the client reconnects. */
  readonly conversationId?: string;
  readonly clientTools: readonly ToolDeclaration[];
  /** Set with the option `resume`. */
  readonly resumable?: true;
};

export type ToolDeclaration = {
  readonly name: string;
  readonly description: string;
  readonly parameters?: object;
};

/**
 * The result of `create`: the service's response, or the part of it that your backend exposes to
 * browsers.
 */
export type CreatedSession = {
  readonly webSocketPath: string;
  readonly conversationId?: string;
};

export type CreateSession = (
  request: SessionRequest,
  context: { readonly signal: AbortSignal },
) => Promise<CreatedSession | string> | CreatedSession | string;

export type ConnectOptions = {
  /** Requests a session from your backend. Called for each connection, including reconnects. */
  readonly create: CreateSession;
  /** Address of the service. Defaults to the page's origin; required on Node. */
  readonly baseUrl?: string | URL;
  /** Functions that the model may call, by name. */
  readonly tools?: Readonly<Record<string, ClientTool>>;
  /**
   * How many times in a row to try to reconnect after the connection is lost; 5 by default, 0 for
   * never.
   */
  readonly reconnectAttempts?: number;
  /**
   * Whether to continue the same session after the connection is lost, without losing or repeating
   * anything. Your backend must pass `resumable` on.
   */
  readonly resume?: boolean;
  /** Timeout for opening a session, including `create`; 20 seconds by default. */
  readonly timeoutMs?: number;
  /**
   * `REALTIME_MAX_MESSAGE_BYTES` of the service, if it is not 65536: larger messages are not sent,
   * because they would end the session.
   */
  readonly maxMessageBytes?: number;
  /** Cancels connecting. Use `close` for an open session. */
  readonly signal?: AbortSignal;
  /**
   * Receives every event in both directions, from the first one on: for logging and measurements.
   */
  readonly observe?: (traffic: Traffic) => void;
};

/** An event, and whether this client sent or received it. */
export type Traffic = { readonly sent: boolean; readonly event: RawEvent };

/**
 * A function that the model may call. If it throws, the model gets the error as the call's output.
 */
export type ClientTool<Arguments = never> = {
  readonly description: string;
  /**
   * JSON schema of the arguments, or a Standard Schema with JSON schema support, such as Zod. If
   * omitted, the tool takes no arguments.
   */
  readonly parameters?: object;
  execute(
    args: Arguments,
    context: { readonly signal: AbortSignal; readonly callId: string },
  ): unknown;
  /** 30 seconds by default; then the signal fires, and the model is informed. */
  readonly timeoutMs?: number;
};
