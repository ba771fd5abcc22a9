import { ParleyError } from '../errors.js';
import { Listeners } from '../session/listeners.js';
import type { AudioChunk, Heard, Player } from '../session/types.js';
import { AudioEngine } from './audio-engine.js';
import { g711 } from './g711.js';
import { Meter } from './meter.js';
import { Pcm16Reader } from './pcm16.js';
import { type Report, UNITS_PER_SECOND } from './playout.js';
import { sampleRates } from './sample-rates.js';
import { Timeline } from './timeline.js';
import { processorNames, type SpeakerPush, type SpeakerSetup } from './worklet-messages.js';

/** How a speaker is opened. */
export type SpeakerOptions = {
  /** From 0 to 1, the default. */
  readonly volume?: number;
  /** One of `listDevices`; the system's default else. */
  readonly deviceId?: string;
  /** How much sound is gathered before it is played, so that a slow network makes no gaps; 80 by default. */
  readonly cushionMs?: number;
  /** Where `audio-worklet.js` of this package is served, if your bundler does not find it by itself. */
  readonly workletUrl?: string | URL;
};

/** `blocked`: the browser waits for a click or a key of the user's before it lets the page sound. The next one does. */
export type SpeakerState = 'running' | 'blocked' | 'closed';

/** Plays the agent's voice without gaps, and knows how much of it was heard. */
export class Speaker implements Player {
  /** Connect it to whatever shall have the same sound: a recorder, or a picture of it. */
  readonly output: AudioNode;
  readonly #engine: AudioEngine;
  readonly #worklet: AudioWorkletNode;
  readonly #gain: GainNode;
  readonly #meter: Meter;
  readonly #timeline: Timeline;
  readonly #listeners = new Listeners();
  #volume: number;
  #reader = new Pcm16Reader();

  /** Whether this browser lets a page choose the speaker. */
  static get canChooseDevice(): boolean {
    return typeof AudioContext !== 'undefined' && 'setSinkId' in AudioContext.prototype;
  }

  /** Call it in a click handler where you can: browsers let no page sound before. Rejects with a `ParleyError`: `audio-unsupported` or `worklet-failed`. */
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

  /** Whether it can be heard. */
  get state(): SpeakerState {
    if (this.#engine.closed) return 'closed';
    return this.#engine.context.state === 'running' ? 'running' : 'blocked';
  }

  /** Whether something is heard or waits to be. */
  get playing(): boolean {
    return this.heard() !== null;
  }

  /** How loud it is now, from 0 (silence) to 1. Reading it is cheap. */
  get level(): number {
    return this.state === 'running' ? this.#meter.level : 0;
  }

  /** From 0 to 1. */
  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    this.#volume = Math.max(0, Math.min(1, volume));
    // Not in one step, which would click.
    this.#gain.gain.setTargetAtTime(this.#volume, 0, 0.01);
  }

  /** Tells each change of `state`. Returns what ends it. */
  onState(listener: (state: SpeakerState) => void): () => void {
    return this.#listeners.add('state', listener);
  }

  /** Tries to leave `blocked`. Call it in a click handler; any click or key on the page does the same. */
  resume(): void {
    this.#engine.resume();
  }

  /** Changes to another speaker of `listDevices`; '' is the system's default. Rejects with `audio-unsupported` where the browser cannot, or has no such device. */
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

  /** Plays it after what came before. */
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

  /** How much was heard of the item that is playing; null when everything that came was. */
  heard(): Heard | null {
    const { currentTime, sampleRate, outputLatency, baseLatency } = this.#engine.context;
    // Safari and others may not know the first, or not yet.
    const latency = outputLatency || baseLatency || 0;
    return this.#timeline.heard((currentTime - latency) * sampleRate);
  }

  /** Falls silent at once and forgets what waits. */
  stop(): void {
    this.#timeline.clear();
    this.#reader = new Pcm16Reader();
    this.#worklet.parameters.get('run')?.setValueAtTime(this.#timeline.run, 0);
  }

  /** Ends the sound and lets go of the speaker. */
  close(): Promise<void> {
    this.#timeline.clear();
    return this.#engine.close();
  }
}
