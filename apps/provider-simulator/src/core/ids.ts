// Ids and padding look like the provider's, and are the same for the same seed: a test can compare
// whole transcripts, while two runs of a demo with different seeds never share an id.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export type IdPrefix = 'event' | 'item' | 'resp' | 'sess' | 'conv' | 'call' | 'chatcmpl';

export class IdSource {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(prefix: IdPrefix): string {
    return `${prefix}_${this.text(prefix === 'call' ? 16 : 21)}`;
  }

  /** Padding that hides the length of a delta: each text delta plus its padding is 16 long. */
  padding(delta: string): string {
    return this.text(Math.max(1, 16 - (delta.length % 16)));
  }

  text(length: number): string {
    let out = '';
    while (out.length < length) out += alphabet[this.#random() % alphabet.length] ?? '';
    return out;
  }

  // mulberry32: small, fast, and good enough to keep ids apart.
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }
}
