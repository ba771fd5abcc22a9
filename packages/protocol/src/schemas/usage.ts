import { Type, type Static } from '@sinclair/typebox';

const Tokens = (description: string) => Type.Integer({ minimum: 0, description });

export const Usage = Type.Object(
  {
    inputTextTokens: Tokens('Text tokens that the model read.'),
    inputAudioTokens: Tokens('Audio tokens that the model heard.'),
    inputCachedTokens: Tokens('How many of the input tokens came from the provider’s cache.'),
    outputTextTokens: Tokens('Text tokens that the model wrote.'),
    outputAudioTokens: Tokens('Audio tokens that the model spoke.'),
    transcriptionSeconds: Type.Number({
      minimum: 0,
      description: 'Transcribed audio, if transcription is billed by duration.',
    }),
  },
  { additionalProperties: false },
);
export type Usage = Static<typeof Usage>;
