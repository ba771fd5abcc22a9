import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Bearer } from '@parley/service-kit';
import type { Passing } from '../core/passing.js';
import type { Amount } from '../metrics.js';
import { FrameReader, type FrameRules } from './frame-reader.js';
import { copyToPlain, mask, plain, readPlain } from './plain-text.js';

export type SpliceOptions<Route extends string> = FrameRules & {
  /** Where the bytes come from, and what ws makes of them. */
  readonly socket: Duplex;
  readonly source: WebSocket;
  /** The route of the text between these positions. */
  readonly routeOf: (data: Buffer, from: number, to: number) => Route;
  /** What may pass, until something else happens than that; undefined: nothing. */
  readonly passage: () => Passage<Route> | undefined;
  /** Something else happens: bytes are left to ws, or there are no more. */
  readonly onOther: () => void;
  readonly tally: Readonly<Record<Route, Amount>>;
  readonly bear: Bearer;
};

export type Passage<Route extends string> = {
  readonly routes: Passing<Route>;
  /** The socket that frames are written to, as long as fewer bytes than these wait there. */
  readonly target: Duplex;
  readonly maxWaiting: number;
};

/**
 * One direction of a session. Frames that need nothing but forwarding are written to the other side's socket before ws sees them: no message is
 * made of them, and a frame costs neither an allocation nor a question to the core. Everything else takes the usual way, into the stream and
 * from there to ws, with all that comes after it in its chunk: ws reports an error a moment later, and nothing behind one may pass.
 */
export class Splice<Route extends string> {
  /** When the last frame came, either way. Timers look here, so that a frame only stores a number. */
  heardAt = 0;
  bytes = 0;
  readonly socket: Duplex;
  readonly source: WebSocket;
  readonly #options: SpliceOptions<Route>;
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
    this.#options = options;
    this.#masked = options.masked;
    this.#tally = options.tally;
    this.#routeOf = options.routeOf;
    this.#reader = new FrameReader(options);
    // eslint-disable-next-line @typescript-eslint/unbound-method
    this.#push = socket.push;
    socket.on('data', (chunk: Buffer) => {
      this.#reader.follow(chunk);
      onOther();
    });
    socket.push = (chunk: Buffer | null): boolean => this.#take(chunk);
  }

  /** What may pass is asked anew. */
  close(): void {
    this.#passage = undefined;
  }

  /** A frame came, at the time that is returned. */
  count(route: Route, bytes: number): number {
    const amount = this.#tally[route];
    amount.frames += 1;
    amount.bytes += bytes;
    this.bytes += bytes;
    return (this.heardAt = performance.now());
  }

  #take(chunk: Buffer | null): boolean {
    if (chunk === null) this.#options.onOther();
    const passage = chunk && this.#passageFor(chunk);
    if (!chunk || !passage) return this.#push.call(this.socket, chunk);
    const taken = this.#forward(chunk, passage);
    if (taken === chunk.length) return true;
    return this.#push.call(this.socket, taken === 0 ? chunk : chunk.subarray(taken));
  }

  #passageFor(chunk: Buffer): Passage<Route> | undefined {
    const socket = this.socket;
    // What came before may still wait in the stream.
    if (socket.readableFlowing !== true || socket.readableLength > 0) return undefined;
    const passage = (this.#passage ??= this.#ask());
    if (!passage || passage.target.writableLength + chunk.length >= passage.maxWaiting)
      return undefined;
    return passage;
  }

  #ask(): Passage<Route> | undefined {
    const isOpen = this.source.readyState === WebSocket.OPEN;
    return isOpen && this.#reader.isBetweenMessages ? this.#options.passage() : undefined;
  }

  /** How many bytes of the chunk were forwarded. */
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
      if (!this.#options.bear(error)) throw error;
    }
    return at;
  }
}
