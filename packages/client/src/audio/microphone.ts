import { ParleyError } from '../errors.js';
import { Listeners } from '../session/listeners.js';
import type { AudioFormat } from '../session/player.js';
import { AudioEngine } from './audio-engine.js';
import { g711 } from './g711.js';
import { Meter } from './meter.js';
import { captureError } from './capture-error.js';
import { sampleRates } from './sample-rates.js';
import { type MicrophoneSetup, processorNames } from './worklet-messages.js';

const CHUNK_SECONDS = 0.04;

/** Options for opening a microphone. */
export type MicrophoneOptions = {
  /** Format of the audio that `onAudio` receives; `pcm16` by default. */
  readonly format?: AudioFormat;
  /** An id from `listDevices`; by default the device selected in the browser or the system. */
  readonly deviceId?: string;
  /** Removes the agent's voice from the microphone's signal; true by default. */
  readonly echoCancellation?: boolean;
  /** Removes noise; true by default. */
  readonly noiseSuppression?: boolean;
  /** Makes quiet voices louder; true by default. */
  readonly autoGainControl?: boolean;
  /**
   * URL of this package's `audio-worklet.js`, if your bundler does not resolve it automatically.
   */
  readonly workletUrl?: string | URL;
};

/** The user's microphone, in the audio format of a session. */
export class Microphone {
  /** Format of the audio that `onAudio` receives. */
  readonly format: AudioFormat;
  readonly #options: MicrophoneOptions;
  readonly #engine: AudioEngine;
  readonly #meter: Meter;
  readonly #listeners = new Listeners();
  #source: MediaStreamAudioSourceNode | undefined;
  /** Counts the calls of `use`: the last one decides. */
  #asked = 0;
  #muted = false;
  #problem: ParleyError | undefined;

  /**
   * Asks the user for permission and opens a microphone. Rejects with a `ParleyError`:
   * `microphone-denied`, `microphone-missing`, `audio-unsupported` or `worklet-failed`.
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
    // Its output is silent, but browsers only run nodes that are connected to the destination.
    this.#meter.node.connect(worklet).connect(context.destination);
  }

  /** Id of the microphone in use. */
  get deviceId(): string | undefined {
    return this.#track?.getSettings().deviceId;
  }

  /** Display name of the microphone in use. */
  get label(): string {
    return this.#track?.label ?? '';
  }

  /** Whether the microphone is muted: it then delivers silence. */
  get muted(): boolean {
    return this.#muted;
  }

  /** Current loudness, from 0 (silence) to 1. Cheap to read. */
  get level(): number {
    return this.#muted || this.closed ? 0 : this.#meter.level;
  }

  /** Whether the microphone was closed. */
  get closed(): boolean {
    return this.#engine.closed;
  }

  /**
   * Why the microphone stopped, as reported to `onEnded`. Undefined again once `use` has opened
   * another one.
   */
  get problem(): ParleyError | undefined {
    return this.#problem;
  }

  /**
   * Calls `listener` with 40 ms of audio at a time: an `Int16Array` for pcm16, otherwise a
   * `Uint8Array` of G.711. Returns a function that removes the listener.
   */
  onAudio(listener: (audio: Int16Array | Uint8Array) => void): () => void {
    return this.#listeners.add('audio', listener);
  }

  /**
   * Calls `listener` when the microphone is unplugged or its permission is revoked. Call `use` to
   * switch to another one, or `close`. Returns a function that removes the listener.
   */
  onEnded(listener: (error: ParleyError) => void): () => void {
    return this.#listeners.add('ended', listener);
  }

  /** Calls `listener` when the microphone is closed. Returns a function that removes the listener. */
  onClosed(listener: () => void): () => void {
    return this.#listeners.add('closed', listener);
  }

  /**
   * Switches to another microphone, or to the default one. Rejects like `open`, and then keeps the
   * current one; also with `aborted`, if it was closed or another one was chosen meanwhile.
   */
  async use(deviceId?: string): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    const source = await this.#capture(deviceId);
    if (this.closed || this.#asked !== mine) {
      stop(source.mediaStream);
      throw new ParleyError('aborted', 'The microphone was closed, or another one was chosen.');
    }
    this.#release();
    this.#source = source;
    this.#problem = undefined;
    this.#mute(this.#muted);
    source.connect(this.#meter.node);
    // Browsers allow sound on a page that may use the microphone.
    this.#engine.resume();
  }

  /** Delivers silence until `unmute` is called. */
  mute(): void {
    this.#mute(true);
  }

  /** Ends `mute`. */
  unmute(): void {
    this.#mute(false);
  }

  /** Releases the microphone; the browser no longer shows it as in use. */
  close(): Promise<void> {
    if (this.closed) return this.#engine.close();
    this.#release();
    const closing = this.#engine.close();
    this.#listeners.tell('closed', undefined);
    return closing;
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
    // The track is muted, too, but earlier samples may still be on their way.
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
