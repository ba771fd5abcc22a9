import type { ModelUsage } from '@parley/client/server';

type Tokens = Omit<ModelUsage, 'model'>;

/** All tokens that a model read and wrote; cached tokens are part of those it read. */
export function tokensOf(usage: Tokens): number {
  const { inputTextTokens, inputAudioTokens, outputTextTokens, outputAudioTokens } = usage;
  return inputTextTokens + inputAudioTokens + outputTextTokens + outputAudioTokens;
}
