// The three wire formats, and G.711 in both directions. Everything inside the simulator is 16-bit
// linear samples; a format only decides how they travel.

export type AudioFormat =
  | { type: 'audio/pcm'; rate: 24000 }
  | { type: 'audio/pcmu' }
  | { type: 'audio/pcma' };

export const pcm24k: AudioFormat = { type: 'audio/pcm', rate: 24000 };

export const rateOf = (format: AudioFormat): number => (format.type === 'audio/pcm' ? 24000 : 8000);

export const bytesPerSample = (format: AudioFormat): number =>
  format.type === 'audio/pcm' ? 2 : 1;

export const millisecondsOf = (format: AudioFormat, byteLength: number): number =>
  (byteLength / bytesPerSample(format) / rateOf(format)) * 1000;

/** How many bytes hold `ms` of sound: always whole samples. */
export const byteLengthOf = (format: AudioFormat, ms: number): number =>
  Math.floor((ms / 1000) * rateOf(format)) * bytesPerSample(format);

export function decodeSamples(format: AudioFormat, bytes: Buffer): Int16Array {
  const samples = new Int16Array(Math.floor(bytes.length / bytesPerSample(format)));
  for (let i = 0; i < samples.length; i++) {
    if (format.type === 'audio/pcm') samples[i] = bytes.readInt16LE(i * 2);
    else samples[i] = (format.type === 'audio/pcmu' ? fromMulaw : fromAlaw)(bytes[i] ?? 0);
  }
  return samples;
}

export function encodeSamples(format: AudioFormat, samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length * bytesPerSample(format));
  const encode = format.type === 'audio/pcmu' ? toMulaw : toAlaw;
  if (format.type === 'audio/pcm')
    for (let i = 0; i < samples.length; i++) bytes.writeInt16LE(samples[i] ?? 0, i * 2);
  else for (let i = 0; i < samples.length; i++) bytes[i] = encode(samples[i] ?? 0);
  return bytes;
}

/** Linear interpolation: plain, exact in length, and fine for a synthetic voice. */
export function resample(samples: Int16Array, from: number, to: number): Int16Array {
  const out = new Int16Array(Math.floor((samples.length * to) / from));
  for (let i = 0; i < out.length; i++) {
    const at = (i * from) / to;
    const left = Math.floor(at);
    const a = samples[left] ?? 0;
    const b = samples[left + 1] ?? a;
    out[i] = Math.round(a + (b - a) * (at - left));
  }
  return out;
}

const mulawBias = 0x84;

function toMulaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), 32635) + mulawBias;
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 7);
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

function fromMulaw(code: number): number {
  const bits = ~code & 0xff;
  const exponent = (bits >> 4) & 0x07;
  const magnitude = ((((bits & 0x0f) << 3) + mulawBias) << exponent) - mulawBias;
  return bits & 0x80 ? -magnitude : magnitude;
}

function toAlaw(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0;
  const magnitude = Math.min(sample >= 0 ? sample : -sample - 1, 32767);
  const exponent = magnitude < 256 ? 0 : 31 - Math.clz32(magnitude) - 7;
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}

function fromAlaw(code: number): number {
  const bits = code ^ 0x55;
  const exponent = (bits >> 4) & 0x07;
  const mantissa = ((bits & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}
