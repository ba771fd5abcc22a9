import { ParleyError } from '../errors.js';
import { workletUrl } from '../worklet-url.js';

/** The gestures that make browsers allow a page to play sound. */
const gestures = ['click', 'keydown', 'pointerup'] as const;

/**
 * The browser's AudioContext with our worklet loaded. It is created synchronously, so that the
 * click that led here counts as a user gesture.
 */
export class AudioEngine {
  readonly context: AudioContext;
  readonly ready: Promise<void>;
  readonly #life = new AbortController();
  #closing: Promise<void> | undefined;

  constructor(url: string | URL = workletUrl) {
    // `mediaDevices` is missing on pages that are not served over HTTPS.
    if (typeof AudioWorkletNode === 'undefined' || !('mediaDevices' in navigator))
      throw new ParleyError(
        'audio-unsupported',
        'Audio needs a browser with AudioWorklet, and a page served over HTTPS or from localhost.',
      );
    this.context = new AudioContext();
    this.ready = this.context.audioWorklet.addModule(url).catch((cause: unknown) => {
      throw new ParleyError(
        'worklet-failed',
        `The audio worklet could not be loaded from ${String(url)}. Serve audio-worklet.js there or set workletUrl, and allow it in your Content-Security-Policy.`,
        { cause },
      );
    });
    const { signal } = this.#life;
    for (const gesture of gestures)
      addEventListener(gesture, () => this.resume(), { capture: true, signal });
    this.resume();
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** Has no effect before a user gesture in browsers that require one. */
  resume(): void {
    if (!this.closed && this.context.state !== 'running')
      this.context.resume().catch(() => undefined);
  }

  close(): Promise<void> {
    this.#life.abort();
    this.#closing ??= this.context.close();
    return this.#closing;
  }
}
