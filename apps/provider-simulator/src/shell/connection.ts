// One accepted WebSocket: it feeds frames and timers to the engine and carries out its effects.
// Tests use it to see what the other side really sent.
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import type { Engine, Input } from '../core/engine.js';
import type { Effect, Note } from '../core/outbox.js';

export type ReceivedFrame = { binary: boolean; data: Buffer };
export type Ending = { code: number; reason: string };

type Events = { frame: [ReceivedFrame]; note: [Note]; close: [Ending]; away: [ms: number] };

export type ConnectionOptions = {
  id: number;
  url: string;
  model: string;
  headers: IncomingHttpHeaders;
  keepFrames: number;
  now: () => number;
};

/** A longer timer would fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

export class SimulatorConnection extends EventEmitter<Events> {
  readonly id: number;
  readonly url: string;
  readonly model: string;
  readonly headers: IncomingHttpHeaders;
  readonly received: ReceivedFrame[] = [];
  /** How the socket ended; absent while it is open. */
  ending: Ending | undefined;
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #engine: Engine | undefined;
  #deaf = false;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    super();
    this.#socket = socket;
    this.#options = options;
    ({ id: this.id, url: this.url, model: this.model, headers: this.headers } = options);
    socket.on('message', (data, binary) => this.#receive(data, binary));
    socket.on('ping', (data) => {
      if (!this.#deaf) socket.pong(data);
    });
    // The `close` listener that follows cleans up; without this listener the process would end.
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => this.#closed({ code, reason: reason.toString('utf8') }));
  }

  /** From here on the engine answers. Without one, frames are only recorded. */
  run(engine: Engine): void {
    this.#engine = engine;
    this.#feed({ type: 'opened', nowMs: this.#options.now() });
  }

  /** The text frames received so far, parsed. Frames that are not JSON are left out. */
  get receivedEvents(): Record<string, unknown>[] {
    return this.received.flatMap(({ binary, data }) => {
      try {
        return binary ? [] : [JSON.parse(data.toString('utf8')) as Record<string, unknown>];
      } catch {
        return [];
      }
    });
  }

  /** Sends a frame from the test, as if the provider had sent it. */
  send(data: string | Buffer): void {
    this.#socket.send(data);
  }

  close(code: number, reason: string): void {
    this.#stopTimers();
    this.#socket.close(code, reason);
  }

  /** Cuts the connection without a closing handshake. */
  drop(): void {
    this.#stopTimers();
    this.#socket.terminate();
  }

  /** Stops answering anything, pings included. */
  hang(): void {
    this.#deaf = true;
    this.#stopTimers();
  }

  #receive(data: RawData, binary: boolean): void {
    const bytes = Buffer.isBuffer(data)
      ? data
      : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    const frame = { binary, data: bytes };
    this.received.push(frame);
    if (this.received.length > this.#options.keepFrames) this.received.shift();
    this.emit('frame', frame);
    if (this.#deaf) return;
    this.#feed(binary ? { type: 'binary' } : { type: 'text', text: bytes.toString('utf8') });
  }

  #feed(input: Input): void {
    if (!this.#engine || this.ending) return;
    try {
      for (const effect of this.#engine.handle(input)) this.#perform(effect);
    } catch (error) {
      // A bug only ends the connection that it occurred on, not the process.
      this.close(1011, `The simulator failed: ${String(error)}`.slice(0, 120));
    }
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'send':
        this.#socket.send(JSON.stringify(effect.event));
        break;
      case 'send-text':
        this.#socket.send(effect.text);
        break;
      case 'send-binary':
        this.#socket.send(Buffer.alloc(effect.bytes, 7));
        break;
      case 'timer':
        this.#setTimer(effect.key, effect.ms);
        break;
      case 'cancel-timer':
        this.#clearTimer(effect.key);
        break;
      case 'close':
        this.close(effect.code, effect.reason);
        break;
      case 'note':
        this.emit('note', effect.note);
        break;
      case 'drop':
        this.drop();
        break;
      case 'away':
        this.emit('away', effect.ms);
        this.drop();
        break;
      case 'hang':
        this.hang();
        break;
    }
  }

  #setTimer(key: string, ms: number): void {
    this.#clearTimer(key);
    const fire = (): void => {
      this.#timers.delete(key);
      this.#feed({ type: 'timer', key });
    };
    this.#timers.set(key, setTimeout(fire, Math.min(ms, longestTimerMs)));
  }

  #clearTimer(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }

  #stopTimers(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #closed(ending: Ending): void {
    this.#stopTimers();
    this.ending = ending;
    this.emit('close', ending);
  }
}
