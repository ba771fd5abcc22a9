// Token counts that behave like the provider's: text by length, audio by time (10 a second in, 20
// out), and the part of the prompt that the previous response already had counts as cached, in
// steps of 64.
import { millisecondsOf } from './audio-format.js';
import type { Item, StoredItem } from './items.js';
import type { FunctionTool } from './session-config.js';

export type TokenCount = { text: number; audio: number };

export type Usage = {
  total_tokens: number;
  input_tokens: number;
  output_tokens: number;
  input_token_details: {
    text_tokens: number;
    audio_tokens: number;
    image_tokens: number;
    cached_tokens: number;
    cached_tokens_details: { text_tokens: number; audio_tokens: number; image_tokens: number };
  };
  output_token_details: { text_tokens: number; audio_tokens: number };
};

export type TranscriptionUsage =
  | { type: 'duration'; seconds: number }
  | {
      type: 'tokens';
      total_tokens: number;
      input_tokens: number;
      input_token_details: { text_tokens: number; audio_tokens: number };
      output_tokens: number;
    };

export const textTokens = (text: string): number => Math.ceil(text.length / 4);
export const inputAudioTokens = (ms: number): number => Math.ceil(ms / 100);
export const outputAudioTokens = (ms: number): number => Math.ceil(ms / 50);

export function countPrompt(prompt: {
  instructions: string;
  tools: readonly FunctionTool[];
  items: readonly StoredItem[];
}): TokenCount {
  let text = textTokens(prompt.instructions);
  if (prompt.tools.length > 0) text += textTokens(JSON.stringify(prompt.tools));
  let audio = 0;
  for (const { item, sound } of prompt.items) {
    if (sound) audio += inputAudioTokens(millisecondsOf(sound.format, sound.bytes.length));
    text += textTokens(wordsOf(item));
  }
  return { text, audio };
}

function wordsOf(item: Item): string {
  if (item.type === 'function_call') return item.name + item.arguments;
  if (item.type === 'function_call_output') return item.output;
  return item.content.map((part) => ('text' in part ? part.text : '')).join('');
}

export function usageOf(input: TokenCount, cached: TokenCount, output: TokenCount): Usage {
  const cachedText = Math.min(wholeBlocks(cached.text), wholeBlocks(input.text));
  const cachedAudio = Math.min(wholeBlocks(cached.audio), wholeBlocks(input.audio));
  const inputTokens = input.text + input.audio;
  const outputTokens = output.text + output.audio;
  return {
    total_tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    input_token_details: {
      text_tokens: input.text,
      audio_tokens: input.audio,
      image_tokens: 0,
      cached_tokens: cachedText + cachedAudio,
      cached_tokens_details: {
        text_tokens: cachedText,
        audio_tokens: cachedAudio,
        image_tokens: 0,
      },
    },
    output_token_details: { text_tokens: output.text, audio_tokens: output.audio },
  };
}

const wholeBlocks = (tokens: number): number => tokens - (tokens % 64);

/** Whisper bills by time, the newer models by token. */
export function transcriptionUsage(
  model: string,
  ms: number,
  transcript: string,
): TranscriptionUsage {
  if (model.includes('whisper')) return { type: 'duration', seconds: Math.ceil(ms / 1000) };
  const audio = inputAudioTokens(ms);
  const output = textTokens(transcript);
  return {
    type: 'tokens',
    total_tokens: audio + output,
    input_tokens: audio,
    input_token_details: { text_tokens: 0, audio_tokens: audio },
    output_tokens: output,
  };
}
