import { ParleyError } from '../errors.js';
import { Listeners } from '../session/listeners.js';
import type { AudioChunk, Heard, Player } from '../session/player.js';
import { AudioEngine } from './audio-engine.js';
import { g711 } from './g711.js';
import { Meter } from './meter.js';
import { Pcm16Reader } from './pcm16.js';
import { type Report, UNITS_PER_SECOND } from './playout.js';
import { sampleRates } from './sample-rates.js';
import { Timeline } from './timeline.js';
import { processorNames, type SpeakerPush, type SpeakerSetup } from './worklet-messages.js';

/** Options for opening a speaker. */
export type SpeakerOptions = {
  /** From 0 to 1; 1 by default. */
  readonly volume?: number;
  /** An id from `listDevices`; the system's default device if omitted. */
  readonly deviceId?: string;
  /**
   * Milliseconds of sound to buffer before playback starts, to avoid gaps on slow networks; 80 by
   * default.
   */
  readonly cushionMs?: number;
  /**
   * URL of this package's `audio-worklet.js`, if your bundler does not resolve it automatically.
   */
  readonly workletUrl?: string | URL;
};

/**
 * `blocked`: the browser does not allow sound until the user clicks or presses a key. The next
 * click or key press unblocks it.
 */
export type SpeakerState = 'running' | 'blocked' | 'closed';

/** Plays the agent's voice without gaps, and tracks how much of it was heard. */
export class Speaker implements Player {
  /** Connect it to anything else that needs the sound, such as a recorder or a visualizer. */
  readonly output: AudioNode;
  readonly #engine: AudioEngine;
  readonly #worklet: AudioWorkletNode;
  readonly #gain: GainNode;
  readonly #meter: Meter;
  readonly #timeline: Timeline;
  readonly #listeners = new Listeners();
  #volume: number;
  #reader = new Pcm16Reader();

  /** Whether this browser lets pages choose the speaker. */
  static get canChooseDevice(): boolean {
    return typeof AudioContext !== 'undefined' && 'setSinkId' in AudioContext.prototype;
  }

  /**
   * Call it in a click handler if you can: browsers block sound before a user gesture. Rejects with
   * a `ParleyError`: `audio-unsupported` or `worklet-failed`.
   */
  static async open(options: SpeakerOptions = {}): Promise<Speaker> {
    const engine = new AudioEngine(options.workletUrl);
    try {
      await engine.ready;
      const speaker = new Speaker(engine, options);
      if (options.deviceId !== undefined) await speaker.use(options.deviceId);
      return speaker;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  private constructor(engine: AudioEngine, { volume = 1, cushionMs = 80 }: SpeakerOptions) {
    const { context } = engine;
    this.#engine = engine;
    this.#timeline = new Timeline(context.sampleRate);
    this.#worklet = new AudioWorkletNode(context, processorNames.speaker, {
      numberOfInputs: 0,
      outputChannelCount: [1],
      processorOptions: { cushion: cushionMs / 1000 } satisfies SpeakerSetup,
    });
    this.#worklet.port.onmessage = ({ data }: MessageEvent<Report>) => this.#timeline.report(data);
    this.#volume = Math.max(0, Math.min(1, volume));
    this.#gain = new GainNode(context, { gain: this.#volume });
    this.#meter = new Meter(context);
    this.output = this.#worklet.connect(this.#gain).connect(this.#meter.node);
    this.output.connect(context.destination);
    context.onstatechange = () => this.#listeners.tell('state', this.state);
  }

  /** Whether sound can be heard. */
  get state(): SpeakerState {
    if (this.#engine.closed) return 'closed';
    return this.#engine.context.state === 'running' ? 'running' : 'blocked';
  }

  /** Whether sound is playing or buffered. */
  get playing(): boolean {
    return this.heard() !== null;
  }

  /** Current loudness, from 0 (silence) to 1. Cheap to read. */
  get level(): number {
    return this.state === 'running' ? this.#meter.level : 0;
  }

  /** From 0 to 1. */
  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    this.#volume = Math.max(0, Math.min(1, volume));
    // Ramp the gain, because a step would click.
    this.#gain.gain.setTargetAtTime(this.#volume, 0, 0.01);
  }

  /** Calls `listener` on every change of `state`. Returns a function that removes the listener. */
  onState(listener: (state: SpeakerState) => void): () => void {
    return this.#listeners.add('state', listener);
  }

  /**
   * Tries to leave `blocked`. Call it in a click handler; any click or key press on the page has
   * the same effect.
   */
  resume(): void {
    this.#engine.resume();
  }

  /**
   * Switches to another speaker from `listDevices`; '' is the system's default. Rejects with
   * `audio-unsupported` if the browser cannot do this or the device is unavailable.
   */
  async use(deviceId: string): Promise<void> {
    const context = this.#engine.context as AudioContext & {
      setSinkId(id: string): Promise<void>;
    };
    try {
      await context.setSinkId(deviceId);
    } catch (cause) {
      throw new ParleyError(
        'audio-unsupported',
        'This speaker cannot be used: it is no longer available, or this browser only supports the default speaker.',
        { cause },
      );
    }
  }

  /** Queues a chunk for playback. */
  play(chunk: AudioChunk): void {
    if (this.#engine.closed) return;
    const { audio, format } = chunk;
    const rate = sampleRates[format];
    const samples =
      format === 'pcm16' ? this.#reader.read(audio) : Int16Array.from(audio, g711[format].decode);
    this.#timeline.add(chunk, (samples.length * UNITS_PER_SECOND) / rate);
    const push: SpeakerPush = { run: this.#timeline.run, samples, rate };
    this.#worklet.port.postMessage(push, [samples.buffer]);
  }

  /** How much of the item being played was heard; null if everything received was. */
  heard(): Heard | null {
    const { currentTime, sampleRate, outputLatency, baseLatency } = this.#engine.context;
    // Some browsers, such as Safari, do not report `outputLatency`, or not immediately.
    const latency = outputLatency || baseLatency || 0;
    return this.#timeline.heard((currentTime - latency) * sampleRate);
  }

  /** Stops the sound immediately and discards the buffer. */
  stop(): void {
    this.#timeline.clear();
    this.#reader = new Pcm16Reader();
    this.#worklet.parameters.get('run')?.setValueAtTime(this.#timeline.run, 0);
  }

  /** Stops the sound and releases the speaker. */
  close(): Promise<void> {
    this.#timeline.clear();
    return this.#engine.close();
  }
}
