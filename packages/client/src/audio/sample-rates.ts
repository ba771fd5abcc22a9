import type { AudioFormat } from '../session/player.js';

export const sampleRates = {
  pcm16: 24_000,
  g711_ulaw: 8_000,
  g711_alaw: 8_000,
} as const satisfies Record<AudioFormat, number>;
