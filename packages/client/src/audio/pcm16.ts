export function toInt16(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
}

/** Reads 16-bit samples from chunks of bytes that may be split anywhere. */
export class Pcm16Reader {
  #rest = new Uint8Array(0);

  read(bytes: Uint8Array): Int16Array<ArrayBuffer> {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const samples = new Int16Array(all.buffer, 0, all.length >> 1);
    this.#rest = all.slice(samples.byteLength);
    return samples;
  }
}
