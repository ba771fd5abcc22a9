import type { WebSocket } from 'ws';
import type { Frame } from '../core/session.js';
import type { RelayLimits } from './relay-limits.js';

export type OutboxOptions = {
  /** The reader. */
  readonly target: WebSocket;
  /** The peer whose frames are forwarded: paused while the reader is full. */
  readonly source: () => WebSocket | undefined;
  readonly limits: Pick<RelayLimits, 'fullBytes' | 'drainedBytes' | 'stallMs'>;
  readonly onStalled: () => void;
};

const asText = { binary: false };
const asBinary = { binary: true };

/**
 * Sends to one side, and pauses the other while this one reads too slowly. This bounds memory, in
 * bytes. A socket reports what it was given at once only when all of it is sent, so it gets no more
 * than a portion at a time: then a reader that is slow can be told from one that does not read.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #stall: NodeJS.Timeout | undefined;
  readonly #held: WebSocket[] = [];
  readonly #queue: Frame[] = [];
  #queuedBytes = 0;
  /** How many frames the socket will report as sent. */
  #reporting = 0;
  /** How many bytes of those were sent, and when the last of them was. */
  #sentBytes = 0;
  sentAt = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Whether the reader has so much to read that the other side waits. */
  get isFull(): boolean {
    return this.#stall !== undefined;
  }

  send(frame: Frame): void {
    const { target, limits } = this.#options;
    const { data, binary } = frame;
    const waiting = this.#queuedBytes + target.bufferedAmount + data.length;
    if (this.#reporting === 0 && waiting < limits.drainedBytes) {
      target.send(data, binary ? asBinary : asText);
      return;
    }
    this.#queue.push(frame);
    this.#queuedBytes += data.length;
    this.#sendPortion();
    if (waiting > limits.fullBytes) this.#hold();
  }

  /**
   * Pauses this peer while the reader is full. A peer that is paused for another reason is not
   * resumed here.
   */
  holdWhileFull(peer: WebSocket): void {
    if (!this.#stall || peer.isPaused) return;
    peer.pause();
    this.#held.push(peer);
  }

  /** Gives the socket everything, because it is closed next. */
  flush(): void {
    this.#queuedBytes = 0;
    for (const frame of this.#queue.splice(0)) this.#give(frame);
  }

  stop(): void {
    clearTimeout(this.#stall);
    this.#stall = undefined;
  }

  /** Nobody reads any more: lets those go on that waited. */
  release(): void {
    this.#forget();
    this.#letGo();
  }

  #hold(): void {
    this.#stall ??= this.#watch();
    const source = this.#options.source();
    if (source) this.holdWhileFull(source);
  }

  #watch(): NodeJS.Timeout {
    const { limits, onStalled } = this.#options;
    const enough = this.#sentBytes + limits.drainedBytes;
    return setTimeout(() => {
      if (this.#sentBytes < enough) onStalled();
      else this.#stall = this.#watch();
    }, limits.stallMs);
  }

  #sendPortion(): void {
    const { target, limits } = this.#options;
    const room = limits.drainedBytes - target.bufferedAmount;
    if (this.#queue.length === 0 || (this.#reporting > 0 && room <= 0)) return;
    let bytes = 0;
    const last = this.#queue.findIndex(({ data }) => (bytes += data.length) >= room);
    this.#queuedBytes -= bytes;
    const portion = this.#queue.splice(0, last < 0 ? this.#queue.length : last + 1);
    for (const frame of portion) this.#give(frame);
  }

  #give({ data, binary }: Frame): void {
    this.#reporting += 1;
    this.#options.target.send(data, binary ? asBinary : asText, (error) => {
      this.#reporting -= 1;
      if (error) this.#forget();
      else this.#sent(data.length);
    });
  }

  #sent(bytes: number): void {
    const { target, limits } = this.#options;
    this.#sentBytes += bytes;
    this.sentAt = performance.now();
    this.#sendPortion();
    const waiting = this.#queuedBytes + target.bufferedAmount;
    if (this.#stall && waiting < limits.drainedBytes) this.#letGo();
  }

  #letGo(): void {
    this.stop();
    for (const peer of this.#held.splice(0)) peer.resume();
  }

  #forget(): void {
    this.#queue.length = 0;
    this.#queuedBytes = 0;
  }
}
