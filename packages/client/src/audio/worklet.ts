/**
 * Runs on the browser's audio thread, from its own file: the bundler builds `dist/audio-worklet.js`
 * from it.
 */
import { toInt16 } from './pcm16.js';
import { Playout, type Report } from './playout.js';
import { Resampler } from './resampler.js';
import {
  type MicrophoneSetup,
  processorNames,
  type SpeakerPush,
  type SpeakerSetup,
} from './worklet-messages.js';

declare const sampleRate: number;
declare const currentFrame: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: unknown): void;

/** Forwards the microphone's signal at the requested sample rate, in chunks of equal size. */
class MicrophoneProcessor extends AudioWorkletProcessor {
  readonly #resampler: Resampler;
  readonly #chunk: Int16Array;
  #filled = 0;

  constructor({ processorOptions }: { readonly processorOptions: MicrophoneSetup }) {
    super();
    this.#resampler = new Resampler(sampleRate, processorOptions.rate);
    this.#chunk = new Int16Array(processorOptions.chunk);
  }

  process([channels]: Float32Array[][]): true {
    const input = channels?.[0];
    if (input !== undefined)
      for (const sample of this.#resampler.process(input)) {
        this.#chunk[this.#filled++] = toInt16(sample);
        if (this.#filled === this.#chunk.length) {
          this.port.postMessage(this.#chunk);
          this.#filled = 0;
        }
      }
    return true;
  }
}

type Parameters = { readonly run: Float32Array };

class SpeakerProcessor extends AudioWorkletProcessor {
  /** A parameter, because it takes effect with the next frames even if messages are queued. */
  static readonly parameterDescriptors = [{ name: 'run', automationRate: 'k-rate' }];
  readonly #playout: Playout;
  #told: Report = { run: 0, frame: 0, position: 0, playing: false };

  constructor({ processorOptions }: { readonly processorOptions: SpeakerSetup }) {
    super();
    this.#playout = new Playout(sampleRate, sampleRate * processorOptions.cushion);
    this.port.onmessage = ({ data }: MessageEvent<SpeakerPush>) =>
      this.#playout.push(data.run, data.samples, data.rate);
  }

  process(_: unknown, [channels]: Float32Array[][], { run: [run = 0] }: Parameters): true {
    const playout = this.#playout;
    if (run > playout.run) playout.stop(run);
    const { position } = playout;
    if (channels?.[0] !== undefined) playout.render(channels[0]);
    if (playout.playing !== this.#told.playing || playout.run !== this.#told.run) {
      this.#told = {
        run: playout.run,
        frame: currentFrame,
        position: playout.playing ? position : playout.position,
        playing: playout.playing,
      };
      this.port.postMessage(this.#told);
    }
    return true;
  }
}

registerProcessor(processorNames.microphone, MicrophoneProcessor);
registerProcessor(processorNames.speaker, SpeakerProcessor);
