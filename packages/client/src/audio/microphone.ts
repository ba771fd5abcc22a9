import { ParleyError } from '../errors.js';
import { Listeners } from '../session/listeners.js';
import type { AudioFormat } from '../session/types.js';
import { AudioEngine } from './audio-engine.js';
import { g711 } from './g711.js';
import { Meter } from './meter.js';
import { captureError } from './capture-error.js';
import { sampleRates } from './sample-rates.js';
import { type MicrophoneSetup, processorNames } from './worklet-messages.js';

const CHUNK_SECONDS = 0.04;

/** How a microphone is opened. */
export type MicrophoneOptions = {
  /** What it is turned into; `pcm16` by default. */
  readonly format?: AudioFormat;
  /** One of `listDevices`; by default the one that the user has chosen in the browser or the system. */
  readonly deviceId?: string;
  /** Removes the agent's voice from what is heard; true by default. */
  readonly echoCancellation?: boolean;
  /** Removes noise; true by default. */
  readonly noiseSuppression?: boolean;
  /** Makes quiet voices louder; true by default. */
  readonly autoGainControl?: boolean;
  /** Where `audio-worklet.js` of this package is served, if your bundler does not find it by itself. */
  readonly workletUrl?: string | URL;
};

/** The user's microphone, in the format of a session. */
export class Microphone {
  /** The format of what `onAudio` gives. */
  readonly format: AudioFormat;
  readonly #options: MicrophoneOptions;
  readonly #engine: AudioEngine;
  readonly #meter: Meter;
  readonly #listeners = new Listeners();
  #source: MediaStreamAudioSourceNode | undefined;
  #muted = false;
  #problem: ParleyError | undefined;

  /**
   * Asks the user for a microphone and starts it. Rejects with a `ParleyError`: `microphone-denied`, `microphone-missing`, `audio-unsupported` or
   * `worklet-failed`.
   */
  static async open(options: MicrophoneOptions = {}): Promise<Microphone> {
    const engine = new AudioEngine(options.workletUrl);
    try {
      await engine.ready;
      const microphone = new Microphone(engine, options);
      await microphone.use(options.deviceId);
      return microphone;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  private constructor(engine: AudioEngine, options: MicrophoneOptions) {
    const { context } = engine;
    this.format = options.format ?? 'pcm16';
    this.#options = options;
    this.#engine = engine;
    this.#meter = new Meter(context);
    const rate = sampleRates[this.format];
    const worklet = new AudioWorkletNode(context, processorNames.microphone, {
      channelCount: 1,
      channelCountMode: 'explicit',
      processorOptions: { rate, chunk: rate * CHUNK_SECONDS } satisfies MicrophoneSetup,
    });
    worklet.port.onmessage = ({ data }: MessageEvent<Int16Array>) => this.#give(data);
    // Its output is silent; browsers run only what leads to the destination.
    this.#meter.node.connect(worklet).connect(context.destination);
  }

  /** The id of the microphone in use. */
  get deviceId(): string | undefined {
    return this.#track?.getSettings().deviceId;
  }

  /** The name of the microphone in use, for people. */
  get label(): string {
    return this.#track?.label ?? '';
  }

  /** Whether silence is given instead of what the microphone hears. */
  get muted(): boolean {
    return this.#muted;
  }

  /** How loud it is now, from 0 (silence) to 1. Reading it is cheap. */
  get level(): number {
    return this.#muted || this.closed ? 0 : this.#meter.level;
  }

  /** Whether it was closed. */
  get closed(): boolean {
    return this.#engine.closed;
  }

  /** Why it gives nothing any more: what `onEnded` told, until `use` has found another one. */
  get problem(): ParleyError | undefined {
    return this.#problem;
  }

  /** Gives what is heard, 40 ms at a time: an `Int16Array` of pcm16, else a `Uint8Array` of G.711. Returns what ends it. */
  onAudio(listener: (audio: Int16Array | Uint8Array) => void): () => void {
    return this.#listeners.add('audio', listener);
  }

  /** Tells that the microphone was unplugged or taken away. `use` another then, or close. Returns what ends it. */
  onEnded(listener: (error: ParleyError) => void): () => void {
    return this.#listeners.add('ended', listener);
  }

  /** Changes to another microphone, or to the default one. Rejects as `open` does, and keeps the former then. */
  async use(deviceId?: string): Promise<void> {
    const source = await this.#capture(deviceId);
    if (this.closed) {
      stop(source.mediaStream);
      throw new ParleyError('aborted', 'The microphone was closed while it was being opened.');
    }
    this.#release();
    this.#source = source;
    this.#problem = undefined;
    this.#mute(this.#muted);
    source.connect(this.#meter.node);
    // Browsers let a page sound that may hear.
    this.#engine.resume();
  }

  /** From now on silence is given, until `unmute`. */
  mute(): void {
    this.#mute(true);
  }

  /** Ends `mute`. */
  unmute(): void {
    this.#mute(false);
  }

  /** Lets go of the microphone; the browser no longer shows it as used. */
  close(): Promise<void> {
    this.#release();
    return this.#engine.close();
  }

  get #track(): MediaStreamTrack | undefined {
    return this.#source?.mediaStream.getAudioTracks()[0];
  }

  async #capture(deviceId: string | undefined): Promise<MediaStreamAudioSourceNode> {
    const {
      echoCancellation = true,
      noiseSuppression = true,
      autoGainControl = true,
    } = this.#options;
    const audio: MediaTrackConstraints = {
      echoCancellation,
      noiseSuppression,
      autoGainControl,
      channelCount: 1,
      ...(deviceId !== undefined && { deviceId: { exact: deviceId } }),
    };
    let mediaStream: MediaStream | undefined;
    try {
      mediaStream = await navigator.mediaDevices.getUserMedia({ audio });
      for (const track of mediaStream.getAudioTracks()) track.onended = () => this.#lose();
      return new MediaStreamAudioSourceNode(this.#engine.context, { mediaStream });
    } catch (cause) {
      stop(mediaStream);
      throw captureError(cause);
    }
  }

  #give(samples: Int16Array): void {
    if (this.closed) return;
    // The track is silent, too, but what it heard before may still be on its way.
    if (this.#muted) samples.fill(0);
    const { format } = this;
    this.#listeners.tell(
      'audio',
      format === 'pcm16' ? samples : Uint8Array.from(samples, g711[format].encode),
    );
  }

  #mute(muted: boolean): void {
    this.#muted = muted;
    if (this.#track !== undefined) this.#track.enabled = !muted;
  }

  #lose(): void {
    this.#problem = new ParleyError(
      'microphone-missing',
      'The microphone was unplugged, or the page may no longer use it. Choose another one.',
    );
    this.#listeners.tell('ended', this.#problem);
  }

  #release(): void {
    stop(this.#source?.mediaStream);
    this.#source?.disconnect();
    this.#source = undefined;
  }
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
