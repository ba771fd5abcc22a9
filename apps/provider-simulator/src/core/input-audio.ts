// The input audio buffer: what was appended but not committed yet, on the session's own audio
// clock. With turn detection on and nobody speaking, only the prefix that a turn may need is kept.
import {
  byteLengthOf,
  bytesPerSample,
  decodeSamples,
  millisecondsOf,
  rateOf,
  type AudioFormat,
} from './audio-format.js';
import type { TurnDetection } from './session-config.js';
import { VoiceActivity, vadSettings, type VadEvent } from './vad.js';

const keptBeforeSpeechMs = 2000;

export class InputAudio {
  readonly #vad = new VoiceActivity();
  #chunks: Buffer[] = [];
  #length = 0;
  /** Audio time at the start of the kept bytes. */
  #startMs: number;
  #oddByte: Buffer = Buffer.alloc(0);

  constructor(
    readonly format: AudioFormat,
    startMs = 0,
  ) {
    this.#startMs = startMs;
    this.#vad.skip(startMs);
  }

  get elapsedMs(): number {
    return this.#startMs + this.bufferedMs;
  }

  get bufferedMs(): number {
    return millisecondsOf(this.format, this.#length);
  }

  append(bytes: Buffer, detection: TurnDetection | null): VadEvent[] {
    const whole = this.#wholeSamples(bytes);
    this.#chunks.push(whole);
    this.#length += whole.length;
    if (!detection) {
      this.#vad.skip(millisecondsOf(this.format, whole.length));
      return [];
    }
    const samples = decodeSamples(this.format, whole);
    const events = this.#vad.push(samples, rateOf(this.format), vadSettings(detection));
    if (!this.#vad.speaking && events.length === 0) this.#forgetSilence();
    return events;
  }

  /** Takes the buffered audio from `fromMs` to `untilMs` of audio time. */
  take(fromMs = 0, untilMs = Infinity): Buffer {
    const all = Buffer.concat(this.#chunks);
    const end = Math.min(all.length, byteLengthOf(this.format, untilMs - this.#startMs));
    const begin = Math.max(0, byteLengthOf(this.format, fromMs - this.#startMs));
    this.#keep(all.subarray(end), this.#startMs + millisecondsOf(this.format, end));
    return all.subarray(Math.min(begin, end), end);
  }

  clear(): void {
    this.#keep(Buffer.alloc(0), this.elapsedMs);
    this.#vad.reset();
  }

  endTurn(): void {
    this.#vad.reset();
  }

  #keep(bytes: Buffer, startMs: number): void {
    this.#chunks = [bytes];
    this.#length = bytes.length;
    this.#startMs = startMs;
  }

  #forgetSilence(): void {
    if (this.bufferedMs < 2 * keptBeforeSpeechMs) return;
    const all = Buffer.concat(this.#chunks);
    const drop = all.length - byteLengthOf(this.format, keptBeforeSpeechMs);
    this.#keep(all.subarray(drop), this.#startMs + millisecondsOf(this.format, drop));
  }

  // A client may split its frames between the two bytes of a sample.
  #wholeSamples(bytes: Buffer): Buffer {
    const all = this.#oddByte.length > 0 ? Buffer.concat([this.#oddByte, bytes]) : bytes;
    const end = all.length - (all.length % bytesPerSample(this.format));
    this.#oddByte = all.subarray(end);
    return all.subarray(0, end);
  }
}
