/** The messages between the page and its worklet; the speaker's worklet replies with a `Report`. */
export const processorNames = {
  microphone: 'parley-microphone',
  speaker: 'parley-speaker',
} as const;

export type MicrophoneSetup = {
  readonly rate: number;
  /** Samples per chunk. */
  readonly chunk: number;
};

export type SpeakerSetup = {
  /** Seconds. */
  readonly cushion: number;
};

export type SpeakerPush = {
  readonly run: number;
  readonly samples: Int16Array;
  readonly rate: number;
};
