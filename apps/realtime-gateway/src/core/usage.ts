import { isObject } from './read-event.js';

/** As the provider counts: cached tokens are among the input's text and audio tokens. */
export type TokenCounts = {
  readonly inputTextTokens: number;
  readonly inputAudioTokens: number;
  readonly inputCachedTokens: number;
  readonly outputTextTokens: number;
  readonly outputAudioTokens: number;
  /** Of transcribed sound, where that is what is billed. */
  readonly seconds: number;
};

export type UsageNote = {
  readonly source: 'response' | 'transcription';
  /** The response's or the item's id: what is told twice is counted once. */
  readonly sourceId: string;
  readonly model: string;
  readonly counts: TokenCounts;
};

/** The usage of a response or a transcription; undefined where the provider tells none. */
export function readUsage(usage: unknown): TokenCounts | undefined {
  if (!isObject(usage)) return undefined;
  const input = usage['input_token_details'] ?? usage['input_tokens_details'];
  const output = usage['output_token_details'] ?? usage['output_tokens_details'];
  return {
    inputTextTokens: count(isObject(input) ? input['text_tokens'] : usage['input_tokens']),
    inputAudioTokens: count(isObject(input) && input['audio_tokens']),
    inputCachedTokens: count(isObject(input) && input['cached_tokens']),
    outputTextTokens: count(isObject(output) ? output['text_tokens'] : usage['output_tokens']),
    outputAudioTokens: count(isObject(output) && output['audio_tokens']),
    seconds: amount(usage['seconds']),
  };
}

/** Sums of what is below it stay exact. */
const implausible = 2 ** 31;

function count(value: unknown): number {
  return Number.isSafeInteger(value) ? amount(value) : 0;
}

function amount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value < implausible ? value : 0;
}
