import { Resampler } from './resampler.js';

/**
 * The unit of positions: samples at the highest rate of any format, so that all positions are whole
 * numbers.
 */
export const UNITS_PER_SECOND = 24_000;

/**
 * At `frame` of the context, playback is at `position` of the run, and advances if it is playing.
 */
export type Report = {
  readonly run: number;
  readonly frame: number;
  readonly position: number;
  readonly playing: boolean;
};

const BLOCK = 128;
const FADE_SECONDS = 0.005;

/**
 * The jitter buffer. It waits until a cushion of sound has arrived, or until a cushion's time has
 * passed since the first sample, because a short word may never fill it. Then it plays until it
 * runs out, and waits again. Every start is faded in and every end faded out to avoid clicks.
 */
export class Playout {
  /** Every stop starts a new run; sound pushed for an earlier run is not played. */
  run = 0;
  playing = false;
  readonly #rate: number;
  readonly #cushion: number;
  readonly #fade: number;
  #queue: { readonly samples: Int16Array; readonly rate: number }[] = [];
  /** Read position in the first chunk of the queue. */
  #read = 0;
  /** Resampled frames, and how many of them were played. */
  #ready: Float32Array = new Float32Array(0);
  #taken = 0;
  #resampler: Resampler;
  /** Units received in this run, and how many of them were received before the last pause. */
  #received = 0;
  #before = 0;
  /** Frames since the last pause: played, or spent waiting. */
  #played = 0;
  #waited = 0;
  #gain = 0;
  /** The faded end of the sound that was stopped. */
  #tail = new Float32Array(0);

  /** Both counts are frames of the context. */
  constructor(rate: number, cushion: number) {
    this.#rate = rate;
    this.#resampler = new Resampler(UNITS_PER_SECOND, rate);
    this.#cushion = cushion;
    this.#fade = Math.round(rate * FADE_SECONDS);
  }

  get position(): number {
    return this.#before + (this.#played * UNITS_PER_SECOND) / this.#rate;
  }

  push(run: number, samples: Int16Array, rate: number): void {
    if (run > this.run) this.stop(run);
    if (run < this.run) return;
    this.#queue.push({ samples, rate });
    this.#received += (samples.length * UNITS_PER_SECOND) / rate;
  }

  stop(run: number): void {
    if (this.playing) {
      const tail = new Float32Array(this.#fade);
      this.render(tail);
      this.#tail = tail.map((sample, index) => sample * (1 - index / this.#fade));
    }
    this.run = run;
    this.#queue = [];
    this.#received = 0;
    this.#pause();
  }

  /** Fills `output` with the next frames. */
  render(output: Float32Array): void {
    if (!this.playing && this.#received > this.#before) {
      this.playing = Math.max(this.#left(), this.#waited) >= this.#cushion;
      this.#waited += output.length;
    }
    let count = 0;
    while (this.playing && count < output.length) {
      const sample = this.#ready[this.#taken++];
      if (sample !== undefined) {
        output[count++] = sample * this.#nextGain();
        this.#played++;
      } else if (!this.#resample()) this.#pause();
    }
    output.fill(0, count);
    const tail = this.#tail.subarray(0, output.length);
    tail.forEach((sample, index) => (output[index] = (output[index] ?? 0) + sample));
    this.#tail = this.#tail.subarray(tail.length);
  }

  /** Number of frames left to play. */
  #left(): number {
    return ((this.#received - this.#before) * this.#rate) / UNITS_PER_SECOND - this.#played;
  }

  /**
   * Falls early enough to reach silence with the last sample, and rises while enough samples are
   * left.
   */
  #nextGain(): number {
    const kept = this.#resampler.lookahead * (this.#rate / this.#resampler.from);
    const step = (this.#left() - kept > this.#fade ? 1 : -1) / this.#fade;
    this.#gain = Math.max(0, Math.min(1, this.#gain + step));
    return this.#gain;
  }

  /** Prepares the next block; false if there is none. */
  #resample(): boolean {
    const [first] = this.#queue;
    if (first === undefined) return false;
    if (first.rate !== this.#resampler.from)
      this.#resampler = new Resampler(first.rate, this.#rate);
    const block = first.samples.subarray(this.#read, (this.#read += BLOCK));
    this.#ready = this.#resampler.process(Float32Array.from(block, (sample) => sample / 32_768));
    this.#taken = 0;
    if (this.#read >= first.samples.length) {
      this.#queue.shift();
      this.#read = 0;
    }
    return true;
  }

  #pause(): void {
    this.playing = false;
    this.#before = this.#received;
    this.#played = this.#waited = this.#gain = this.#read = this.#taken = 0;
    this.#ready = new Float32Array(0);
    this.#resampler.reset();
  }
}
