import { isObject } from '@parley/protocol';

/** As the provider counts: the input's text and audio tokens include cached ones. */
export type TokenCounts = {
  readonly inputTextTokens: number;
  readonly inputAudioTokens: number;
  readonly inputCachedTokens: number;
  readonly outputTextTokens: number;
  readonly outputAudioTokens: number;
  /** Seconds of transcribed audio, if that is what is billed. */
  readonly seconds: number;
};

export type UsageNote = {
  readonly source: 'response' | 'transcription';
  /** The id of the response or item: usage that is reported twice is counted once. */
  readonly sourceId: string;
  readonly model: string;
  readonly counts: TokenCounts;
};

/** The usage of a response or a transcription; undefined if the provider reports none. */
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

/** Sums of values below this stay exact. */
const implausible = 2 ** 31;

function count(value: unknown): number {
  return Number.isSafeInteger(value) ? amount(value) : 0;
}

function amount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value < implausible ? value : 0;
}
