/** A worklet of the tests: keeps every sample that comes to it, and tells when enough of them were no silence, or were rendered. */
declare const currentFrame: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: unknown): void;

export type Recording = { readonly firstFrame: number; readonly samples: Float32Array };

class Tap extends AudioWorkletProcessor {
  readonly #quanta: Float32Array[] = [];
  #firstFrame = -1;
  #sounding = 0;
  #awaited: ((frame: number) => boolean) | undefined;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<{ sounding?: number; frame?: number }>) => {
      const { sounding = 0, frame = 0 } = data;
      this.#awaited = (current) => this.#sounding >= sounding && current >= frame;
    };
  }

  process([channels]: Float32Array[][]): true {
    const samples = Float32Array.from(channels?.[0] ?? new Float32Array(128));
    if (this.#firstFrame < 0) this.#firstFrame = currentFrame;
    this.#quanta.push(samples);
    this.#sounding += samples.filter((sample) => sample !== 0).length;
    if (this.#awaited?.(currentFrame) === true) {
      this.#awaited = undefined;
      this.port.postMessage(this.#recording());
    }
    return true;
  }

  #recording(): Recording {
    const samples = new Float32Array(this.#quanta.length * 128);
    this.#quanta.forEach((quantum, index) => samples.set(quantum, index * 128));
    return { firstFrame: this.#firstFrame, samples };
  }
}

registerProcessor('tap', Tap);
