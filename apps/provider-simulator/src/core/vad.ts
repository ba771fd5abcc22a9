// Voice activity by energy, counted in the time of the audio itself: the same bytes give the same
// turns however fast they arrive. Frames of 20 ms are loud or quiet; three loud ones in a row start
// a turn, and a stretch of quiet ends it.
import type { TurnDetection } from './session-config.js';

const frameMs = 20;
const framesToStart = 3;

export type VadEvent = { type: 'started'; startMs: number } | { type: 'stopped'; endMs: number };

type VadSettings = { loudness: number; prefixMs: number; silenceMs: number };

// How long the semantic detector waits to be sure that a sentence is over.
const patience = { high: 300, medium: 500, auto: 500, low: 1000 } as const;

export function vadSettings(detection: TurnDetection): VadSettings {
  if (detection.type === 'semantic_vad')
    return { loudness: loudnessOf(0.5), prefixMs: 300, silenceMs: patience[detection.eagerness] };
  return {
    loudness: loudnessOf(detection.threshold),
    prefixMs: detection.prefix_padding_ms,
    silenceMs: Math.max(detection.silence_duration_ms, frameMs),
  };
}

// The default threshold of 0.5 is one hundredth of full scale: above room noise, below quiet
// speech.
const loudnessOf = (threshold: number): number => 32768 * 0.02 * Math.max(threshold, 0.01);

export class VoiceActivity {
  #elapsedMs = 0;
  #loudFrames = 0;
  #quietMs = 0;
  #speaking = false;
  #pending = new Int16Array(0);

  get speaking(): boolean {
    return this.#speaking;
  }

  /** Skips audio that turn detection did not process. */
  skip(ms: number): void {
    this.#elapsedMs += ms;
  }

  /** A turn was ended from outside, by a commit or a clear. */
  reset(): void {
    this.#speaking = false;
    this.#loudFrames = 0;
    this.#quietMs = 0;
  }

  push(samples: Int16Array, rate: number, settings: VadSettings): VadEvent[] {
    const frame = (rate * frameMs) / 1000;
    const all = new Int16Array(this.#pending.length + samples.length);
    all.set(this.#pending);
    all.set(samples, this.#pending.length);
    const events: VadEvent[] = [];
    let at = 0;
    for (; at + frame <= all.length; at += frame) {
      const event = this.#frame(loudness(all.subarray(at, at + frame)), settings);
      if (event) events.push(event);
    }
    this.#pending = all.slice(at);
    return events;
  }

  #frame(level: number, settings: VadSettings): VadEvent | undefined {
    this.#elapsedMs += frameMs;
    const loud = level > settings.loudness;
    if (!this.#speaking) {
      this.#loudFrames = loud ? this.#loudFrames + 1 : 0;
      if (this.#loudFrames < framesToStart) return undefined;
      this.#speaking = true;
      this.#quietMs = 0;
      const began = this.#elapsedMs - framesToStart * frameMs;
      return { type: 'started', startMs: Math.max(0, began - settings.prefixMs) };
    }
    this.#quietMs = loud ? 0 : this.#quietMs + frameMs;
    if (this.#quietMs < settings.silenceMs) return undefined;
    this.reset();
    return { type: 'stopped', endMs: this.#elapsedMs };
  }
}

function loudness(frame: Int16Array): number {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  return Math.sqrt(sum / frame.length);
}
