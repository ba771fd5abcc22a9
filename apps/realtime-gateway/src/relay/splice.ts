import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { ErrorOwner } from '@parley/service-kit';
import type { Passing } from '../core/passing.js';
import type { Amount } from '../metrics.js';
import { FrameReader, type FrameRules } from './frame-reader.js';
import { copyToPlain, mask, plain, readPlain } from './plain-text.js';

export type SpliceOptions<Route extends string> = FrameRules & {
  /** Where the bytes come from, and the WebSocket on top of it. */
  readonly socket: Duplex;
  readonly source: WebSocket;
  /** The route of the text between these positions. */
  readonly routeOf: (data: Buffer, from: number, to: number) => Route;
  /** What may pass, until anything else happens; undefined if nothing may. */
  readonly passage: () => Passage<Route> | undefined;
  /** Called when anything else happens: bytes go to ws, or the stream has ended. */
  readonly onOther: () => void;
  readonly tally: Readonly<Record<Route, Amount>>;
  readonly takeError: ErrorOwner;
};

export type Passage<Route extends string> = {
  readonly routes: Passing<Route>;
  /** The socket that frames are written to, while fewer than `maxWaiting` bytes wait there. */
  readonly target: Duplex;
  readonly maxWaiting: number;
};

/**
 * One direction of a session. Frames that only need forwarding are written to the other side's
 * socket before ws sees them: a frame costs no message object, no allocation, and no call to the
 * core. Everything else goes into the stream and on to ws as usual, with the rest of its chunk: ws
 * reports an error a moment later, and nothing after an error may pass.
 */
export class Splice<Route extends string> {
  /**
   * When the last frame arrived, either way. Timers read this, so that a frame only stores a
   * number.
   */
  heardAt = 0;
  bytes = 0;
  readonly socket: Duplex;
  readonly source: WebSocket;
  readonly #ask: SpliceOptions<Route>['passage'];
  readonly #onOther: () => void;
  readonly #takeError: ErrorOwner;
  readonly #reader: FrameReader;
  readonly #masked: boolean;
  readonly #tally: SpliceOptions<Route>['tally'];
  readonly #routeOf: SpliceOptions<Route>['routeOf'];
  readonly #push: (chunk: Buffer | null) => boolean;
  #passage: Passage<Route> | undefined;

  constructor(options: SpliceOptions<Route>) {
    const { socket, onOther } = options;
    this.socket = socket;
    this.source = options.source;
    this.#ask = options.passage;
    this.#onOther = onOther;
    this.#takeError = options.takeError;
    this.#masked = options.masked;
    this.#tally = options.tally;
    this.#routeOf = options.routeOf;
    this.#reader = new FrameReader(options);
    this.#push = socket.push.bind(socket);
    socket.on('data', (chunk: Buffer) => {
      this.#reader.follow(chunk);
      onOther();
    });
    socket.push = (chunk: Buffer | null): boolean => this.#take(chunk);
  }

  /** What may pass is determined again, at the next chunk. */
  reconsider(): void {
    this.#passage = undefined;
  }

  /** Counts a frame, and returns its time of arrival. */
  count(route: Route, bytes: number): number {
    const amount = this.#tally[route];
    amount.frames += 1;
    amount.bytes += bytes;
    this.bytes += bytes;
    return (this.heardAt = performance.now());
  }

  #take(chunk: Buffer | null): boolean {
    if (chunk === null) this.#onOther();
    const passage = chunk && this.#passageFor(chunk);
    if (!chunk || !passage) return this.#push(chunk);
    const taken = this.#forward(chunk, passage);
    if (taken === chunk.length) return true;
    return this.#push(taken === 0 ? chunk : chunk.subarray(taken));
  }

  #passageFor(chunk: Buffer): Passage<Route> | undefined {
    const socket = this.socket;
    // Earlier bytes may still wait in the stream.
    if (socket.readableFlowing !== true || socket.readableLength > 0) return undefined;
    const passage = (this.#passage ??= this.#determine());
    if (!passage || passage.target.writableLength + chunk.length >= passage.maxWaiting)
      return undefined;
    return passage;
  }

  #determine(): Passage<Route> | undefined {
    const isOpen = this.source.readyState === WebSocket.OPEN;
    return isOpen && this.#reader.isBetweenMessages ? this.#ask() : undefined;
  }

  /** Returns how many bytes of the chunk were forwarded. */
  #forward(chunk: Buffer, { routes, target }: Passage<Route>): number {
    const reader = this.#reader;
    const masked = this.#masked;
    let at = 0;
    try {
      while (reader.find(chunk, at)) {
        if (at === 0 && !copyToPlain(chunk)) return 0;
        const { payload, end } = reader;
        if (!readPlain(payload, end, masked)) break;
        const route = this.#routeOf(plain, payload, end);
        if (!routes[route]) break;
        this.count(route, end - payload);
        if (masked) mask(chunk, payload, end);
        at = end;
      }
      if (at > 0) target.write(at === chunk.length ? chunk : chunk.subarray(0, at));
    } catch (error) {
      if (!this.#takeError(error)) throw error;
    }
    return at;
  }
}
