const finalText = 0x81;
const [lengthBits, maskBit, finalBit, opcodeBits] = [0x7f, 0x80, 0x80, 0x0f];
const [twoByteLength, eightByteLength] = [126, 127];

export type FrameRules = {
  /** Clients mask their frames; servers do not. */
  readonly masked: boolean;
  readonly maxBytes: number;
};

/**
 * Finds text frames in the bytes that one side of a WebSocket sends, as RFC 6455 defines them. It
 * accepts only the usual form: a whole message in one final frame, without reserved bits, with a
 * length within the limit in its shortest encoding, and all bytes in one chunk. For bytes that ws
 * parses instead, `follow` tracks the next boundary between messages.
 */
export class FrameReader {
  readonly #maskBit: number;
  readonly #keyBytes: number;
  readonly #maxBytes: number;
  /** The position of the payload of the last frame found. */
  payload = 0;
  end = 0;
  /**
   * For the frame that ws parses: what is known of its header, and how much of its payload is
   * missing.
   */
  #headerBytes = 0;
  #lengthBytes = 0;
  #headerSize = 2;
  #missing = 0;
  #inMessage = false;

  constructor({ masked, maxBytes }: FrameRules) {
    this.#maskBit = masked ? maskBit : 0;
    this.#keyBytes = masked ? 4 : 0;
    this.#maxBytes = maxBytes;
  }

  /** Whether the next byte is the first of a message, or of a control frame between two. */
  get isBetweenMessages(): boolean {
    return this.#missing === 0 && this.#headerBytes === 0 && !this.#inMessage;
  }

  /** Whether a frame in the usual form starts here and ends in the same chunk. */
  find(chunk: Buffer, at: number): boolean {
    if (chunk[at] !== finalText) return false;
    const second = chunk[at + 1] ?? 0;
    if ((second & maskBit) !== this.#maskBit) return false;
    const short = second & lengthBits;
    if (short === eightByteLength) return false;
    const isLong = short === twoByteLength;
    const length = isLong ? ((chunk[at + 2] ?? 0) << 8) | (chunk[at + 3] ?? 0) : short;
    if ((isLong && length < twoByteLength) || length > this.#maxBytes) return false;
    this.payload = at + (isLong ? 4 : 2) + this.#keyBytes;
    this.end = this.payload + length;
    return this.end <= chunk.length;
  }

  /** Tracks bytes that ws parses. */
  follow(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#headerBytes === 0 && this.#missing > 0) {
        const here = Math.min(this.#missing, chunk.length - at);
        this.#missing -= here;
        at += here;
      } else {
        this.#header(chunk[at] ?? 0);
        at += 1;
      }
    }
  }

  #header(byte: number): void {
    const index = this.#headerBytes;
    this.#headerBytes += 1;
    if (index === 0) {
      // Control frames come between the parts of a message, and are not parts themselves.
      if ((byte & opcodeBits) < 8) this.#inMessage = (byte & finalBit) === 0;
    } else if (index === 1) {
      const short = byte & lengthBits;
      this.#lengthBytes = short === twoByteLength ? 2 : short === eightByteLength ? 8 : 0;
      this.#headerSize = 2 + this.#lengthBytes + ((byte & maskBit) === 0 ? 0 : 4);
      this.#missing = this.#lengthBytes === 0 ? short : 0;
    } else if (index < 2 + this.#lengthBytes) {
      this.#missing = this.#missing * 256 + byte;
    }
    if (index > 0 && this.#headerBytes === this.#headerSize) this.#headerBytes = 0;
  }
}
