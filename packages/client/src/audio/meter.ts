/** Decibels below full scale that count as silence. */
const FLOOR = 60;

/** Measures the loudness of the sound that passes through `node`. */
export class Meter {
  readonly node: AnalyserNode;
  readonly #samples: Float32Array<ArrayBuffer>;

  constructor(context: AudioContext) {
    this.node = new AnalyserNode(context, { fftSize: 1024 });
    this.#samples = new Float32Array(this.node.fftSize);
  }

  /** From 0 (silence) to 1 (full scale), linear in decibels. */
  get level(): number {
    this.node.getFloatTimeDomainData(this.#samples);
    return loudness(this.#samples);
  }
}

export function loudness(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;
  return Math.max(0, Math.min(1, 1 + (10 * Math.log10(power)) / FLOOR));
}
