import type {
  Activity,
  Approval,
  AudioFormat,
  Heard,
  Message,
  RawEvent,
  ToolCall,
} from '../session/types.js';

/** All that a session knows. No socket, no clock, no function is in it. */
export type Core = {
  /** Names the items of this client, so that it knows them again. */
  readonly seed: string;
  readonly named: number;
  /** The names of the client's own tools. */
  readonly tools: ReadonlySet<string>;
  /** A later connection of the same conversation: what the service replays is known here. */
  readonly reconnected: boolean;
  readonly lines: readonly Line[];
  readonly calls: readonly Call[];
  readonly approvals: readonly Waiting[];
  readonly turn: Turn;
  readonly formats: { readonly input: AudioFormat; readonly output: AudioFormat };
  /** Whether the provider stops speaking when the user does. */
  readonly yields: boolean;
  /** Whether a response follows by itself when the user has spoken. */
  readonly answers: boolean;
};

/** A message, and what it is made of. */
export type Line = {
  readonly message: Message;
  /** The words of each content part. */
  readonly parts: ReadonlyMap<number, string>;
  readonly responseId: string | null;
  /** Of its voice: the content part, and how much has come. */
  readonly voice: { readonly contentIndex: number; readonly ms: number } | null;
};

export type Call = ToolCall & {
  readonly responseId: string | null;
  /** What the model is to be told, until those before it were. */
  readonly answer: string | null;
  readonly told: boolean;
  /** Its response did not complete. */
  readonly cut: boolean;
};

export type Waiting = Pick<Approval, 'callId' | 'state' | 'decidable'> & {
  /** Milliseconds since 1970. */
  readonly deadline: number;
};

/** Whose turn it is. The provider takes a `response.create` only while no response is active. */
export type Turn = {
  readonly active: readonly string[];
  /** Responses that were interrupted here: what still comes of them is not played. */
  readonly muted: readonly string[];
  readonly activity: Activity;
  readonly userSpeaks: boolean;
  /** A create that waits until nobody speaks. */
  readonly owed: boolean;
  /** The last response did not complete. */
  readonly wasCut: boolean;
};

export type Input =
  | { readonly kind: 'connected'; readonly again: boolean }
  /** `heard` is what the player says; undefined without a player. */
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
  owed: false,
  wasCut: false,
};

export function stay(core: Core, ...effects: Effect[]): Step {
  return { core, effects };
}

/** One step after the other. */
export function then(step: Step, next: (core: Core) => Step): Step {
  const { core, effects } = next(step.core);
  return { core, effects: [...step.effects, ...effects] };
}

export function send(event: RawEvent): Effect {
  return { kind: 'send', event };
}
