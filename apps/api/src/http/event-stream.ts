/** A reader that falls this far behind is disconnected, and can read again what it missed. */
const maxCharacters = 1_048_576;

export const eventStreamHeaders = {
  'Cache-Control': 'no-store, no-transform',
  // Proxies that buffer responses would hold the events back.
  'X-Accel-Buffering': 'no',
} as const;

/** Server-sent events, written as they occur and read at the reader's own pace. */
export class EventStream implements AsyncIterable<string> {
  readonly #waiting: string[] = [];
  readonly #left = new AbortController();
  readonly #cut = new AbortController();
  #characters = 0;
  #ended = false;
  #overflowed = false;
  readonly #keepAliveMs: number;
  readonly #keepAlive: () => string;
  #wake: () => void = () => undefined;

  /** Sends keep-alives, so that nothing in between takes a silent connection for a dead one. */
  constructor({
    keepAliveMs = 15_000,
    keepAlive = () => ': keep-alive\n\n',
  }: { keepAliveMs?: number; keepAlive?: () => string } = {}) {
    this.#keepAliveMs = keepAliveMs;
    this.#keepAlive = keepAlive;
  }

  /** Fires when nobody reads any more. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  /** Fires when the stream no longer waits for its reader, even with unread data. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Whether the reader was disconnected because it fell too far behind. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** `event` is a serialised event of the service. */
  send(event: string): void {
    const { type } = JSON.parse(event) as { type: string };
    this.write(`event: ${type}\ndata: ${event}\n\n`);
  }

  /** An event without a name. */
  sendData(data: string): void {
    this.write(`data: ${data}\n\n`);
  }

  comment(text: string): void {
    this.write(`: ${text}\n\n`);
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  cutOff(): void {
    this.#cut.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const keepAlive = setInterval(() => this.write(this.#keepAlive()), this.#keepAliveMs);
    try {
      while (!this.left.aborted) {
        const text = this.#waiting.shift();
        if (text !== undefined) {
          this.#characters -= text.length;
          yield text;
        } else if (this.#ended) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearInterval(keepAlive);
      this.#leave();
    }
  }

  /** Raw lines. */
  write(text: string): void {
    if (this.#ended || this.left.aborted) return;
    this.#characters += text.length;
    this.#overflowed = this.#characters > maxCharacters;
    if (this.#overflowed) {
      this.#leave();
      this.cutOff();
    } else this.#waiting.push(text);
    this.#wake();
  }

  #leave(): void {
    this.#waiting.length = 0;
    this.#left.abort();
    this.#wake();
  }
}
