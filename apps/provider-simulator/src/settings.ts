import type { Pacing } from './core/script.js';

export type SimulatorSettings = Pacing & {
  /** From the end of a turn to its first transcribed words, and from those to the whole text. */
  transcriptionDelayMs: number;
  /** How long a session may last before it expires. */
  sessionSeconds: number;
  /** Keys that are refused after the handshake, as the provider does with an invalid one. */
  badApiKeys: readonly string[];
  /** How many of the newest frames of a connection are kept for `connections()`. */
  keepFrames: number;
  /** Seed of the ids. Equal seeds give equal ids; without one, every start gets its own. */
  seed?: number;
};

/** A lively conversation: a short thought, then sound four times faster than it is played. */
export const defaultSettings: SimulatorSettings = {
  thinkMs: 150,
  tokenMs: 10,
  audioChunkMs: 100,
  audioSpeed: 4,
  transcriptionDelayMs: 120,
  sessionSeconds: 3600,
  badApiKeys: [],
  keepFrames: 1000,
};
