/** A chunk of the agent's voice, in the session's output format. */
export type AudioChunk = {
  readonly itemId: string;
  readonly contentIndex: number;
  readonly audio: Uint8Array<ArrayBuffer>;
  readonly format: AudioFormat;
};

/** `pcm16` is 16 bits, little-endian, mono, 24 kHz; the others are G.711 at 8 kHz. */
export type AudioFormat = 'pcm16' | 'g711_ulaw' | 'g711_alaw';

/** How much of an item was heard. */
export type Heard = { readonly itemId: string; readonly contentIndex: number; readonly ms: number };

/** Plays the agent's voice. */
export type Player = {
  play(chunk: AudioChunk): void;
  /** How much of the current item was heard; null if everything received was. */
  heard(): Heard | null;
  /** Stops immediately and discards the queue. */
  stop(): void;
};
