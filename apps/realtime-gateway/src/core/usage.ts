import { isObject, reportedAmount, reportedCount } from '@parley/protocol';

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
    inputTextTokens: reportedCount(isObject(input) ? input['text_tokens'] : usage['input_tokens']),
    inputAudioTokens: reportedCount(isObject(input) && input['audio_tokens']),
    inputCachedTokens: reportedCount(isObject(input) && input['cached_tokens']),
    outputTextTokens: reportedCount(
      isObject(output) ? output['text_tokens'] : usage['output_tokens'],
    ),
    outputAudioTokens: reportedCount(isObject(output) && output['audio_tokens']),
    seconds: reportedAmount(usage['seconds']),
  };
}
