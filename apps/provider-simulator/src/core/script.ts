// A plan turned into beats: the smallest steps that a response is played in. The beats know pacing
// and chunking; the run that plays them knows events. Audio comes in chunks with the words that are
// spoken in them just ahead, as recorded.
import { byteLengthOf, millisecondsOf, type AudioFormat } from './audio-format.js';
import type { Disconnect, Plan, PlanPart } from './plan.js';
import type { StatusDetails } from './response.js';
import type { Modality } from './session-config.js';
import { outputAudioTokens, textTokens } from './usage.js';

export type Beat =
  | { type: 'wait'; ms: number }
  | { type: 'open-message' }
  | { type: 'open-call'; name: string }
  | { type: 'words'; delta: string }
  | { type: 'audio'; bytes: Buffer }
  | { type: 'arguments'; delta: string }
  | { type: 'close-item' }
  | { type: 'error'; code: string }
  | { type: 'raw'; text: string }
  | { type: 'binary'; bytes: number }
  | Disconnect
  | { type: 'end'; details: StatusDetails | null };

export type Pacing = {
  /** Before the first output. */
  thinkMs: number;
  /** Between two text or argument deltas. */
  tokenMs: number;
  /** The length of one audio delta. */
  audioChunkMs: number;
  /** How many times faster than real time audio is sent; 0 = at once. */
  audioSpeed: number;
};

export type ScriptOptions = {
  modality: Modality;
  format: AudioFormat;
  maxOutputTokens: number | 'inf';
  pacing: Pacing;
  speak: (text: string) => Buffer;
};

export function scriptOf(plan: Plan, options: ScriptOptions): Beat[] {
  const beats: Beat[] = [{ type: 'wait', ms: options.pacing.thinkMs }];
  for (const part of plan) {
    const next = beatsOf(part, options);
    // An ending that is not a success cuts off what was being said: its item stays incomplete.
    if (next[0]?.type === 'end' && beats.at(-1)?.type === 'close-item') beats.pop();
    for (const beat of next) beats.push(beat);
  }
  beats.push({ type: 'end', details: null });
  return withinTokens(beats, options);
}

function beatsOf(part: PlanPart, options: ScriptOptions): Beat[] {
  switch (part.type) {
    case 'say':
      return [{ type: 'open-message' }, ...speech(part.text, options), { type: 'close-item' }];
    case 'noise':
      return [{ type: 'open-message' }, ...noise(part, options), { type: 'close-item' }];
    case 'call':
      return [
        { type: 'open-call', name: part.name },
        ...argumentTokens(part.arguments).flatMap((delta): Beat[] => [
          { type: 'arguments', delta },
          { type: 'wait', ms: options.pacing.tokenMs },
        ]),
        { type: 'close-item' },
      ];
    case 'fail':
      return [{ type: 'end', details: { type: 'failed', error: failure(part.code) } }];
    case 'incomplete':
      return [{ type: 'end', details: { type: 'incomplete', reason: part.reason } }];
    case 'wait':
    case 'error':
    case 'raw':
    case 'binary':
    case 'disconnect':
      return [part];
  }
}

const failure = (code: string) => ({
  type: /quota|rate_limit/.test(code) ? code : 'server_error',
  code,
});

function speech(text: string, options: ScriptOptions): Beat[] {
  const tokens = text.match(/(?<!\s)\s*\S+/g) ?? [];
  if (options.modality === 'text')
    return tokens.flatMap((delta): Beat[] => [
      { type: 'words', delta },
      { type: 'wait', ms: options.pacing.tokenMs },
    ]);
  const { audioChunkMs, audioSpeed } = options.pacing;
  const chunks = chunked(options.speak(text), byteLengthOf(options.format, audioChunkMs));
  const beats: Beat[] = [];
  let said = 0;
  chunks.forEach((bytes, i) => {
    const upTo = Math.ceil((tokens.length * (i + 2)) / chunks.length);
    for (const delta of tokens.slice(said, upTo)) beats.push({ type: 'words', delta });
    said = Math.max(said, upTo);
    beats.push({ type: 'audio', bytes });
    beats.push({ type: 'wait', ms: audioSpeed === 0 ? 0 : audioChunkMs / audioSpeed });
  });
  for (const delta of tokens.slice(said)) beats.push({ type: 'words', delta });
  return beats;
}

// A quiet saw-tooth: audible, cheap, and different in every byte pair.
function noise(part: { bytes: number; inOneDelta: boolean }, options: ScriptOptions): Beat[] {
  if (options.modality === 'text') return [{ type: 'words', delta: 'x'.repeat(part.bytes) }];
  const sound = Buffer.alloc(part.bytes);
  for (let i = 0; i < sound.length; i++) sound[i] = i % 2 === 0 ? (i * 7) & 0xff : 0x01;
  const size = part.inOneDelta
    ? part.bytes
    : byteLengthOf(options.format, options.pacing.audioChunkMs);
  return chunked(sound, size).map((bytes) => ({ type: 'audio', bytes }));
}

function chunked(bytes: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += Math.max(size, 2))
    chunks.push(bytes.subarray(at, at + Math.max(size, 2)));
  return chunks;
}

const argumentTokens = (text: string): string[] => text.match(/\s+|[^\s\w]+|\w+/g) ?? [];

/** Stops the output where the token limit is reached, and ends as incomplete there. */
function withinTokens(beats: Beat[], options: ScriptOptions): Beat[] {
  if (options.maxOutputTokens === 'inf') return beats;
  let tokens = 0;
  const kept: Beat[] = [];
  for (const beat of beats) {
    if (beat.type === 'words' || beat.type === 'arguments') tokens += textTokens(beat.delta);
    if (beat.type === 'audio')
      tokens += outputAudioTokens(millisecondsOf(options.format, beat.bytes.length));
    if (tokens > options.maxOutputTokens)
      return [
        ...kept,
        { type: 'end', details: { type: 'incomplete', reason: 'max_output_tokens' } },
      ];
    kept.push(beat);
  }
  return beats;
}
