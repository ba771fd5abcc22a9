export function sine(frequency: number, rate: number, seconds: number): Float32Array {
  return Float32Array.from({ length: Math.round(rate * seconds) }, (_, n) =>
    Math.sin((2 * Math.PI * frequency * n) / rate),
  );
}

/** The amplitude of a frequency in a sound, and its phase against `sine`. */
export function toneIn(samples: ArrayLike<number>, frequency: number, rate: number) {
  let inPhase = 0;
  let quadrature = 0;
  let weight = 0;
  for (let n = 0; n < samples.length; n++) {
    const window = 1 - Math.cos((2 * Math.PI * (n + 0.5)) / samples.length);
    const angle = (2 * Math.PI * frequency * n) / rate;
    inPhase += samples[n]! * window * Math.sin(angle);
    quadrature += samples[n]! * window * Math.cos(angle);
    weight += window / 2;
  }
  return {
    amplitude: Math.hypot(inPhase, quadrature) / weight,
    phase: Math.atan2(quadrature, inPhase),
  };
}

export function rms(samples: ArrayLike<number>): number {
  return Math.sqrt(
    Array.from(samples).reduce((sum, sample) => sum + sample ** 2, 0) / samples.length,
  );
}

export const decibels = (amplitude: number) => 20 * Math.log10(amplitude);
