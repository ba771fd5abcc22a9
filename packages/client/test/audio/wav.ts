import { wavFile } from '@parley/testkit';

export function wav(samples: Float32Array, rate: number): Buffer {
  return wavFile(Buffer.from(Int16Array.from(samples, (sample) => sample * 32_767).buffer), rate);
}
