import type { WebSocket } from 'ws';
import type { Frame } from '../core/session.js';
import type { RelayLimits } from './relay-limits.js';

export type OutboxOptions = {
  /** The reader. */
  readonly target: WebSocket;
  /** The peer whose frames are forwarded: paused while the reader is full. */
  readonly source: () => WebSocket | undefined;
  readonly limits: RelayLimits;
  readonly onStalled: () => void;
};

const asText = { binary: false };
const asBinary = { binary: true };

/**
 * Sends to one side, and pauses the other while this one reads too slowly. This bounds memory, in
 * bytes.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #stall: NodeJS.Timeout | undefined;
  readonly #held: WebSocket[] = [];

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  send({ data, binary }: Frame): void {
    const { target, limits } = this.#options;
    const waiting = target.bufferedAmount + data.length;
    const how = binary ? asBinary : asText;
    if (waiting < limits.drainedBytes) {
      target.send(data, how);
      return;
    }
    target.send(data, how, () => this.#flushed());
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

  stop(): void {
    clearTimeout(this.#stall);
    this.#stall = undefined;
  }

  /** Nobody reads any more: lets those go on that waited. */
  release(): void {
    this.stop();
    for (const peer of this.#held.splice(0)) peer.resume();
  }

  #hold(): void {
    const { limits, onStalled } = this.#options;
    this.#stall ??= setTimeout(onStalled, limits.stallMs);
    const source = this.#options.source();
    if (source) this.holdWhileFull(source);
  }

  #flushed(): void {
    const { target, limits } = this.#options;
    if (!this.#stall || target.bufferedAmount >= limits.drainedBytes) return;
    this.release();
  }
}
