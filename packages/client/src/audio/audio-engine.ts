import { ParleyError } from '../errors.js';
import { workletUrl } from '../worklet-url.js';

/** What browsers take for the user's consent to sound. */
const gestures = ['click', 'keydown', 'pointerup'] as const;

/** The browser's audio engine with our worklet in it. It is made at once, so that a click which led here counts. */
export class AudioEngine {
  readonly context: AudioContext;
  readonly ready: Promise<void>;
  readonly #life = new AbortController();
  #closing: Promise<void> | undefined;

  constructor(url: string | URL = workletUrl) {
    // Absent on pages that are not served over HTTPS.
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

  /** Does nothing before a gesture where the browser waits for one. */
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
