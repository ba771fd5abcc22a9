import type { Activity, Approval, Message, ToolCall } from '../session/conversation.js';
import type { AudioFormat, Heard } from '../session/player.js';
import type { RawEvent } from '../session/session-events.js';

/** The whole state of a session: plain data, without sockets, clocks or functions. */
export type Core = {
  /** Prefix for the ids of items that this client creates, so that it recognizes them. */
  readonly seed: string;
  readonly named: number;
  /** Names of the client's own tools. */
  readonly tools: ReadonlySet<string>;
  /**
   * A later connection of the same conversation: the client already knows what the service replays.
   */
  readonly reconnected: boolean;
  readonly lines: readonly Line[];
  readonly calls: readonly Call[];
  readonly approvals: readonly Waiting[];
  readonly turn: Turn;
  readonly formats: { readonly input: AudioFormat; readonly output: AudioFormat };
  /** Whether the provider stops the answer when the user starts speaking. */
  readonly yields: boolean;
  /** Whether a response starts automatically after the user has spoken. */
  readonly answers: boolean;
};

/** A message and the data it is built from. */
export type Line = {
  readonly message: Message;
  /** Text of each content part. */
  readonly parts: ReadonlyMap<number, string>;
  readonly responseId: string | null;
  /** Its audio: the content part, and how much was received. */
  readonly voice: { readonly contentIndex: number; readonly ms: number } | null;
};

export type Call = ToolCall & {
  readonly responseId: string | null;
  /** The output for the model, held back until earlier calls have been answered. */
  readonly answer: string | null;
  readonly told: boolean;
  /** Its response did not complete. */
  readonly cut: boolean;
};

export type Waiting = Pick<Approval, 'callId' | 'state' | 'decidable'> & {
  /** Milliseconds since 1970. */
  readonly deadline: number;
};

/** Whose turn it is. The provider accepts a `response.create` only while no response is active. */
export type Turn = {
  readonly active: readonly string[];
  /** Responses that were interrupted here; their remaining audio is not played. */
  readonly muted: readonly string[];
  readonly activity: Activity;
  readonly userSpeaks: boolean;
  /** The user holds the button of push-to-talk: no response may begin. */
  readonly held: boolean;
  /**
   * What became of the last `response.create`: `sent` until a response ends or it is refused,
   * `unwanted` if it was interrupted meanwhile.
   */
  readonly request: 'none' | 'sent' | 'unwanted';
  /** A `response.create` that is held back until nobody is speaking. */
  readonly owed: boolean;
  /**
   * The last `response.create` was for a text or followed an interruption, and no response has ended
   * since.
   */
  readonly wrote: boolean;
  /** A `response.create` was refused because of a response that has not been announced yet. */
  readonly blocked: boolean;
  /** The last response did not complete. */
  readonly wasCut: boolean;
};

export type Input =
  | { readonly kind: 'connected'; readonly again: boolean }
  /** `heard` is reported by the player; undefined without one. */
  | {
      readonly kind: 'event';
      readonly event: RawEvent;
      readonly now: number;
      readonly heard: Heard | null | undefined;
    }
  | { readonly kind: 'lost' }
  | { readonly kind: 'text'; readonly text: string; readonly heard: Heard | null | undefined }
  | { readonly kind: 'send'; readonly event: RawEvent }
  | { readonly kind: 'commit' }
  | { readonly kind: 'interrupt'; readonly heard: Heard | null | undefined }
  | { readonly kind: 'talking'; readonly talking: boolean }
  | {
      readonly kind: 'answered';
      readonly callId: string;
      readonly output: string;
      readonly ok: boolean;
    }
  | { readonly kind: 'decide'; readonly callId: string; readonly approve: boolean };

export type Effect =
  | { readonly kind: 'send'; readonly event: RawEvent }
  | { readonly kind: 'run'; readonly call: Call }
  | {
      readonly kind: 'play';
      readonly itemId: string;
      readonly contentIndex: number;
      readonly base64: string;
    }
  | { readonly kind: 'silence' }
  | {
      readonly kind: 'told';
      readonly what: 'transcript' | 'tool' | 'approval';
      readonly id: string;
    }
  | { readonly kind: 'problem'; readonly code: string | null; readonly message: string };

export type Step = { readonly core: Core; readonly effects: readonly Effect[] };

export function begin(seed: string, tools: Iterable<string>): Core {
  return {
    seed,
    named: 0,
    tools: new Set(tools),
    reconnected: false,
    lines: [],
    calls: [],
    approvals: [],
    turn: quiet,
    formats: { input: 'pcm16', output: 'pcm16' },
    yields: true,
    answers: true,
  };
}

export const quiet: Turn = {
  active: [],
  muted: [],
  activity: 'idle',
  userSpeaks: false,
  held: false,
  request: 'none',
  owed: false,
  wrote: false,
  blocked: false,
  wasCut: false,
};

export function stay(core: Core, ...effects: Effect[]): Step {
  return { core, effects };
}

/** Runs one step after another. */
export function then(step: Step, next: (core: Core) => Step): Step {
  const { core, effects } = next(step.core);
  return { core, effects: [...step.effects, ...effects] };
}

export function send(event: RawEvent): Effect {
  return { kind: 'send', event };
}
