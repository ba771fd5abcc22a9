/** A reader that is so far behind is let go: the answer stands in the conversation. */
const maxCharacters = 1_048_576;

export const eventStreamHeaders = {
  'Cache-Control': 'no-store, no-transform',
  // Proxies that collect answers would hold the events back.
  'X-Accel-Buffering': 'no',
} as const;

/** Server-sent events that are written whenever there are some, and read as fast as the reader likes. */
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

  /** So that nobody between takes a silent connection for a dead one, it is never silent for longer. */
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

  /** Fires when a reader is not waited for any more, whatever it has still to read. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Whether the reader was let go because it was too far behind. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** `event` is an event of the service, serialised. */
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

  /** Lines as they are sent. */
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
