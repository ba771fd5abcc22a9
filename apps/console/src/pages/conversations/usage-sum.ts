import type { ModelUsage } from '@parley/client/server';

type Tokens = Omit<ModelUsage, 'model'>;

/** All that a model read and wrote; what came from the cache is among what it read. */
export function tokensOf(usage: Tokens): number {
  const { inputTextTokens, inputAudioTokens, outputTextTokens, outputAudioTokens } = usage;
  return inputTextTokens + inputAudioTokens + outputTextTokens + outputAudioTokens;
}
