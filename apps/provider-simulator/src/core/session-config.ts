// The session's configuration: the defaults a connection starts with, and `session.update`, which
// changes the fields that are present and answers the first thing that is wrong with them.
import { pcm24k, type AudioFormat } from './audio-format.js';
import { sessionShape } from './session-shape.js';
import { findProblem, isObject, withoutNulls, type Problem } from './shape.js';

export type TurnDetection =
  | {
      type: 'server_vad';
      threshold: number;
      prefix_padding_ms: number;
      silence_duration_ms: number;
      idle_timeout_ms: number | null;
      create_response: boolean;
      interrupt_response: boolean;
    }
  | {
      type: 'semantic_vad';
      eagerness: 'low' | 'medium' | 'high' | 'auto';
      create_response: boolean;
      interrupt_response: boolean;
    };

export type Transcription = { model: string; language: string | null; prompt: string | null };
export type FunctionTool = {
  type: string;
  name: string;
  description?: string;
  parameters?: Record<string, unknown>;
};
export type ToolChoice = string | { type: string; name?: string | null };
export type Modality = 'text' | 'audio';
export type Voice = string | { id: string };

export type Session = {
  type: 'realtime';
  object: 'realtime.session';
  id: string;
  model: string;
  output_modalities: Modality[];
  instructions: string;
  tools: FunctionTool[];
  tool_choice: ToolChoice;
  max_output_tokens: number | 'inf';
  tracing: unknown;
  truncation: unknown;
  prompt: unknown;
  expires_at: number;
  audio: {
    input: {
      format: AudioFormat;
      transcription: Transcription | null;
      noise_reduction: { type: string } | null;
      turn_detection: TurnDetection | null;
    };
    output: { format: AudioFormat; voice: string; speed: number };
  };
  include: string[] | null;
};

const serverVad: TurnDetection = {
  type: 'server_vad',
  threshold: 0.5,
  prefix_padding_ms: 300,
  silence_duration_ms: 200,
  idle_timeout_ms: null,
  create_response: true,
  interrupt_response: true,
};

const semanticVad: TurnDetection = {
  type: 'semantic_vad',
  eagerness: 'auto',
  create_response: true,
  interrupt_response: true,
};

export const defaultSession = (options: {
  id: string;
  model: string;
  expiresAt: number;
}): Session => ({
  type: 'realtime',
  object: 'realtime.session',
  id: options.id,
  model: options.model,
  output_modalities: ['audio'],
  instructions: 'You are a friendly assistant. Answer briefly, and call a function when one fits.',
  tools: [],
  tool_choice: 'auto',
  max_output_tokens: 'inf',
  tracing: null,
  truncation: 'auto',
  prompt: null,
  expires_at: options.expiresAt,
  audio: {
    input: {
      format: pcm24k,
      transcription: null,
      noise_reduction: null,
      turn_detection: serverVad,
    },
    output: { format: pcm24k, voice: 'alloy', speed: 1 },
  },
  include: null,
});

export type SessionUpdate =
  /** `keptModel`: another model was requested. */
  { ok: true; session: Session; keptModel: boolean } | { ok: false; problem: Problem };

/** `audioSent`: the voice is fixed once the model has spoken. */
export function updateSession(
  session: Session,
  wanted: unknown,
  { audioSent }: { audioSent: boolean },
): SessionUpdate {
  const change = withoutNulls(sessionShape, wanted);
  const problem =
    findProblem(sessionShape, change, 'session') ?? valueProblem(session, change, audioSent);
  if (problem) return { ok: false, problem };
  const { model = session.model, ...rest } = change as Change;
  return { ok: true, session: merge(session, rest), keptModel: model !== session.model };
}

// The shape has been checked: these are the fields that a change may have.
type Change = Partial<Omit<Session, 'audio'>> & {
  audio?: {
    input?: Partial<Session['audio']['input']>;
    output?: Partial<Omit<Session['audio']['output'], 'voice'>> & { voice?: Voice };
  };
};

function valueProblem(session: Session, change: unknown, audioSent: boolean): Problem | undefined {
  const next = change as Change;
  const both = modalitiesProblem(next.output_modalities, 'session.output_modalities');
  if (both) return both;
  const voice = next.audio?.output?.voice;
  if (audioSent && voice !== undefined && voiceName(voice) !== session.audio.output.voice)
    return {
      code: 'cannot_update_voice',
      message: "Cannot update a conversation's voice if assistant audio is present.",
      param: 'session.audio.output.voice',
    };
  if (
    session.tracing !== null &&
    next.tracing !== undefined &&
    !same(next.tracing, session.tracing)
  )
    return {
      code: 'invalid_value',
      message: 'Tracing cannot be changed once it is set.',
      param: 'session.tracing',
    };
  return undefined;
}

export function modalitiesProblem(
  modalities: readonly unknown[] | undefined,
  param: string,
): Problem | undefined {
  if (modalities === undefined || modalities.length === 1) return undefined;
  return {
    code: 'invalid_value',
    message: `Invalid modalities: expected ['text'] or ['audio'], but got ${modalities.length} of them.`,
    param,
  };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A custom voice is sent as `{ id }` and reported by its id. */
export const voiceName = (voice: Voice): string => (isObject(voice) ? voice.id : voice);

function merge(session: Session, change: Change): Session {
  const { audio, ...flat } = change;
  // Only the fields of the session object: `reasoning` and `parallel_tool_calls` are accepted and
  // not echoed, as by the models that ignore them.
  const known = Object.entries(flat).filter(([name]) => Object.hasOwn(session, name));
  const input = { ...session.audio.input, ...audio?.input };
  const output = { ...session.audio.output, ...audio?.output };
  return {
    ...session,
    ...Object.fromEntries(known),
    audio: {
      input: {
        ...input,
        transcription: input.transcription && {
          ...input.transcription,
          language: input.transcription.language ?? null,
          prompt: input.transcription.prompt ?? null,
        },
        turn_detection: input.turn_detection && withDefaults(input.turn_detection),
      },
      output: { ...output, voice: voiceName(output.voice) },
    },
  };
}

const withDefaults = (detection: TurnDetection): TurnDetection =>
  detection.type === 'server_vad'
    ? { ...serverVad, ...detection }
    : { ...semanticVad, ...detection };
