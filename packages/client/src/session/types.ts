import type { ParleyError } from '../errors.js';

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
 * A state and its reason: `error` is set if a connection was lost or a session refused, `resumed`
 * if the same session is open again, with nothing missing.
 */
export type StateChange = {
  readonly state: SessionState;
  readonly error?: ParleyError;
  readonly resumed?: true;
};
export type SessionState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/**
 * `listening`: the user is speaking; `thinking`: the answer is pending; `speaking`: the agent is
 * answering.
 */
export type Activity = 'idle' | 'listening' | 'thinking' | 'speaking';

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

/**
 * A message of the conversation, in the order in which it was said. `text` is everything known so
 * far.
 */
export type Message = {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Whether the message is complete. */
  readonly final: boolean;
  /** Whether the message was interrupted, so that not all of it was heard. */
  readonly interrupted: boolean;
  /**
   * Approximately how many characters of the text were heard; all of them unless it was
   * interrupted.
   */
  readonly heardLength: number;
};

/** A tool call: of one of this client's tools, or one that the service runs. */
export type ToolCall = {
  readonly callId: string;
  readonly name: string;
  readonly origin: 'client' | 'service';
  /** Display name, if the tool has one. */
  readonly title: string | null;
  readonly imageUrl: string | null;
  /** Parsed; the raw text if it is not valid JSON. */
  readonly arguments: unknown;
  /** `waiting` until somebody approves the call. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** The result of the call. */
  readonly output: string | null;
  readonly link: { readonly label: string; readonly url: string } | null;
};

/** A tool call that needs a decision. */
export type Approval = {
  readonly callId: string;
  readonly call: ToolCall | undefined;
  /** `cancelled`: its session ended, or the response that it belongs to. */
  readonly state: 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled';
  /** False if the call can only be decided over the REST API. */
  readonly decidable: boolean;
  readonly deadline: Date;
  /** Counts down to 0. */
  readonly secondsLeft: number;
  readonly approve: () => void;
  readonly reject: () => void;
};

/** A chunk of the agent's voice, in the session's output format. */
export type AudioChunk = {
  readonly itemId: string;
  readonly contentIndex: number;
  readonly audio: Uint8Array<ArrayBuffer>;
  readonly format: AudioFormat;
};

/** `pcm16` is 16 bits, little-endian, mono, 24 kHz; the others are G.711 at 8 kHz. */
export type AudioFormat = 'pcm16' | 'g711_ulaw' | 'g711_alaw';

/** How much of an item was heard. */
export type Heard = { readonly itemId: string; readonly contentIndex: number; readonly ms: number };

/** Plays the agent's voice. */
export type Player = {
  play(chunk: AudioChunk): void;
  /** How much of the current item was heard; null if everything received was. */
  heard(): Heard | null;
  /** Stops immediately and discards the queue. */
  stop(): void;
};

/** A raw event of the WebSocket. */
export type RawEvent = { readonly type: string; readonly [field: string]: unknown };

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

export type SessionProblem = {
  readonly code: string | null;
  readonly message: string;
};
