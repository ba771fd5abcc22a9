import type { ParleyError } from '../errors.js';

/** What `create` passes on to its backend, for the body of `POST /api/v1/Agent/{agentId}/realtime-session`. */
export type SessionRequest = {
  /** The conversation to go on with: absent the first time, and there when the client reconnects. */
  readonly conversationId?: string;
  readonly clientTools: readonly ToolDeclaration[];
};

export type ToolDeclaration = {
  readonly name: string;
  readonly description: string;
  readonly parameters?: object;
};

/** What `create` returns: the service's answer, or of it what the backend likes to give to a browser. */
export type CreatedSession = {
  readonly webSocketPath: string;
  readonly conversationId?: string;
};

export type CreateSession = (
  request: SessionRequest,
  context: { readonly signal: AbortSignal },
) => Promise<CreatedSession | string> | CreatedSession | string;

export type ConnectOptions = {
  /** Asks your backend for a session. Called once per connection, so also when the client reconnects. */
  readonly create: CreateSession;
  /** Where the service is. The page's origin by default; on Node it must be given. */
  readonly baseUrl?: string | URL;
  /** Functions that the model may call here, by their names. */
  readonly tools?: Readonly<Record<string, ClientTool>>;
  /** How often in a row a lost connection is made anew; 0 for never, 5 by default. */
  readonly reconnectAttempts?: number;
  /** For a session to open, `create` included; 20 seconds by default. */
  readonly timeoutMs?: number;
  /** Ends the attempt to connect. Use `close` for an open session. */
  readonly signal?: AbortSignal;
  /** Sees every event on its way, both ways and from the first one on: for logs and measurements. */
  readonly observe?: (traffic: Traffic) => void;
};

/** An event, and whether this client sent or received it. */
export type Traffic = { readonly sent: boolean; readonly event: RawEvent };

/** A state and why it came: `error` is there when a connection was lost or a session refused. */
export type StateChange = { readonly state: SessionState; readonly error?: ParleyError };
export type SessionState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** What goes on: the user speaks, the agent's answer is awaited, or it comes. */
export type Activity = 'idle' | 'listening' | 'thinking' | 'speaking';

/** A function that the model may call. What it throws is told to the model as the call's outcome. */
export type ClientTool<Arguments = never> = {
  readonly description: string;
  /** The JSON schema of its arguments, or a Standard Schema with JSON schema, such as Zod's. None: it takes no arguments. */
  readonly parameters?: object;
  execute(
    args: Arguments,
    context: { readonly signal: AbortSignal; readonly callId: string },
  ): unknown;
  /** 30 seconds by default; then the signal fires and the model is told. */
  readonly timeoutMs?: number;
};

/** What somebody said, in the order in which it was said. The text is always whole, as far as it is known. */
export type Message = {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Nothing more comes. */
  readonly final: boolean;
  /** It was cut off: not all of it was heard. */
  readonly interrupted: boolean;
  /** How many characters of the text were heard, as near as can be told. All of them unless it was interrupted. */
  readonly heardLength: number;
};

/** A call of a tool: one of this client's, or one that the service runs. */
export type ToolCall = {
  readonly callId: string;
  readonly name: string;
  readonly origin: 'client' | 'service';
  /** For people, if the tool has one. */
  readonly title: string | null;
  readonly imageUrl: string | null;
  /** Parsed; the text itself where it is no JSON. */
  readonly arguments: unknown;
  /** `waiting` until somebody approves. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** What came of it. */
  readonly output: string | null;
  readonly link: { readonly label: string; readonly url: string } | null;
};

/** A call that a person decides about. */
export type Approval = {
  readonly callId: string;
  readonly call: ToolCall | undefined;
  /** `cancelled`: its session ended, or the response that it belongs to. */
  readonly state: 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled';
  /** False: somebody else decides, over the REST API. */
  readonly decidable: boolean;
  readonly deadline: Date;
  /** Counts down to 0. */
  readonly secondsLeft: number;
  readonly approve: () => void;
  readonly reject: () => void;
};

/** A piece of the agent's voice, in the session's output format. */
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

/** What plays the agent's voice. */
export type Player = {
  play(chunk: AudioChunk): void;
  /** Of what is playing or waits to be played; null when all that came was heard. */
  heard(): Heard | null;
  /** Falls silent at once and forgets what waits. */
  stop(): void;
};

/** An event of the service's socket, as it came. */
export type RawEvent = { readonly type: string; readonly [field: string]: unknown };

/** What `session.on` knows beside the raw events. */
export type SessionEvents = {
  state: StateChange;
  transcript: Message;
  audio: AudioChunk;
  tool: ToolCall;
  approval: Approval;
  /** What went wrong while the session goes on: the provider's or the service's `error` events. */
  error: SessionProblem;
};

export type SessionProblem = {
  readonly code: string | null;
  readonly message: string;
};
