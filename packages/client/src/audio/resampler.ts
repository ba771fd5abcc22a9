/**
 * Zero crossings of the sinc on each side: frequencies up to 8 % below the lower Nyquist frequency
 * pass; those above it are attenuated by 70 dB.
 */
const CROSSINGS = 24;
const CUTOFF = 0.92;
const KAISER = 6.8;

/**
 * Changes the sample rate of sound that arrives in chunks of any size, with a windowed-sinc
 * polyphase filter. Output sample n is exactly at time n / to, so the sound is not delayed;
 * instead, output waits for the input that the filter looks ahead at.
 */
export class Resampler {
  readonly from: number;
  /** By how much input the output lags. */
  readonly lookahead: number;
  readonly #phases: Float32Array[];
  readonly #taps: number;
  readonly #step: number;
  #input = new Float32Array(4096);
  #output = new Float32Array(4096);
  #filled = 0;
  #phase = 0;

  constructor(from: number, to: number) {
    const divisor = gcd(from, to);
    this.from = from;
    this.#step = from / divisor;
    const scale = Math.min(1, to / from);
    this.lookahead = Math.ceil(CROSSINGS / scale);
    this.#taps = 2 * this.lookahead;
    this.#phases = Array.from({ length: to / divisor }, (_, phase) =>
      this.#kernel((phase * divisor) / to, scale),
    );
    this.reset();
  }

  /** Clears all state, as if the sound started over. */
  reset(): void {
    this.#filled = this.lookahead - 1;
    this.#input.fill(0, 0, this.#filled);
    this.#phase = 0;
  }

  /** The result is valid until the next call. */
  process(input: Float32Array): Float32Array {
    const filled = this.#filled + input.length;
    const most = Math.ceil((filled * this.#phases.length) / this.#step);
    if (filled > this.#input.length) this.#input = grown(this.#input, filled);
    if (most > this.#output.length) this.#output = new Float32Array(most);
    this.#input.set(input, this.#filled);
    let at = 0;
    let count = 0;
    for (; at + this.#taps <= filled; count++) {
      this.#output[count] = this.#filter(at);
      this.#phase += this.#step;
      at += Math.floor(this.#phase / this.#phases.length);
      this.#phase %= this.#phases.length;
    }
    this.#input.copyWithin(0, at, filled);
    this.#filled = filled - at;
    return this.#output.subarray(0, count);
  }

  #filter(at: number): number {
    const kernel = this.#phases[this.#phase] ?? [];
    const input = this.#input;
    const taps = kernel.length;
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) sum += (kernel[tap] ?? 0) * (input[at + tap] ?? 0);
    return sum;
  }

  /** The kernel for an output sample that is `offset` input samples after an input sample. */
  #kernel(offset: number, scale: number): Float32Array {
    const kernel = Float32Array.from({ length: this.#taps }, (_, tap) => {
      const distance = tap - this.lookahead + 1 - offset;
      const angle = Math.PI * distance * scale * CUTOFF;
      const edge = 1 - (distance / this.lookahead) ** 2;
      return edge < 0
        ? 0
        : bessel(KAISER * Math.sqrt(edge)) * (angle === 0 ? 1 : Math.sin(angle) / angle);
    });
    const sum = kernel.reduce((total, value) => total + value, 0);
    return kernel.map((value) => value / sum);
  }
}

/** The modified Bessel function of order 0, for the Kaiser window. */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-9; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

function grown(array: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(2 * length);
  larger.set(array);
  return larger;
}
