import { Resampler } from './resampler.js';

/** How positions are counted: samples of the format with the highest rate, so that all are whole numbers. */
export const UNITS_PER_SECOND = 24_000;

/** From `frame` of the context on, the sound stands at `position` of the run, and moves if it is playing. */
export type Report = {
  readonly run: number;
  readonly frame: number;
  readonly position: number;
  readonly playing: boolean;
};

const BLOCK = 128;
const FADE_SECONDS = 0.005;

/**
 * The jitter buffer. It waits until there is a cushion, or until a cushion's time has passed since the first sample, since a short word has no more;
 * then it plays until it runs out, and waits again. Each beginning is faded in and each end out, so that nothing clicks.
 */
export class Playout {
  /** Each stop begins a new one; what was pushed for an earlier one is not played. */
  run = 0;
  playing = false;
  readonly #rate: number;
  readonly #cushion: number;
  readonly #fade: number;
  #queue: { readonly samples: Int16Array; readonly rate: number }[] = [];
  /** How far the first of the queue was read. */
  #read = 0;
  /** Resampled, and how many of them were played. */
  #ready: Float32Array = new Float32Array(0);
  #taken = 0;
  #resampler: Resampler;
  /** Units that came in this run, and of them those from before the sound last paused. */
  #received = 0;
  #before = 0;
  /** Frames since the sound last paused: played, or waited. */
  #played = 0;
  #waited = 0;
  #gain = 0;
  /** The end of what was stopped. */
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

  /** Fills `output` with what is next. */
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

  /** Frames that are still to be played. */
  #left(): number {
    return ((this.#received - this.#before) * this.#rate) / UNITS_PER_SECOND - this.#played;
  }

  /** Falls in time to be silent with the last sample, and rises as long as there are enough. */
  #nextGain(): number {
    const kept = this.#resampler.lookahead * (this.#rate / this.#resampler.from);
    const step = (this.#left() - kept > this.#fade ? 1 : -1) / this.#fade;
    this.#gain = Math.max(0, Math.min(1, this.#gain + step));
    return this.#gain;
  }

  /** Makes the next block ready; false if there is nothing more. */
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
