import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { waitFor } from '@parley/testkit';
import type { Closing, Event } from './test-client.js';

export type Message = { data: Buffer; binary: boolean };

/** The events that belong to one connection: they do not count. */
const asides = ['session.resumable', 'session.resumed', 'session.acknowledged', 'session.moving'];

/** A client that follows the rules of resumable sessions: what a hand-written one has to do. */
export class ResumingClient {
  /** Every message that counts, on all connections. */
  readonly got: Message[] = [];
  /** The events among them. */
  readonly events: Event[] = [];
  /** What it has sent, or will send once it is connected. */
  readonly said: Message[] = [];
  /** The events that do not count, in order. */
  readonly asides: Event[] = [];
  readonly closes: Closing[] = [];
  readonly refusals: unknown[] = [];
  resumes = 0;
  /** How many of them were continued from the record. */
  restores = 0;
  /** Acknowledges after this many messages; never, if 0. */
  ackEvery: number;
  socket: WebSocket;
  readonly #origin: string;
  #path = '';
  /** What came and was sent before another pod continued from the record. */
  #before = { got: 0, said: 0 };
  #open = false;
  #onResumed: () => void = () => undefined;

  constructor(origin: string, path: string, { ackEvery = 20 } = {}) {
    this.#origin = origin;
    this.ackEvery = ackEvery;
    this.socket = this.#connect(origin + path);
  }

  static async ready(
    origin: string,
    path: string,
    options: { ackEvery?: number } = {},
  ): Promise<ResumingClient> {
    const client = new ResumingClient(origin, path, options);
    await client.aside('session.resumable');
    client.#open = true;
    return client;
  }

  get path(): string {
    return this.#path;
  }

  async aside(type: string): Promise<Event> {
    return waitFor(() => this.asides.find((event) => event.type === type), { what: type });
  }

  async event(type: string): Promise<Event> {
    return waitFor(() => this.events.find((event) => event.type === type), { what: type });
  }

  say(data: Buffer | string, binary = false): void {
    const message = { data: Buffer.from(data), binary };
    this.said.push(message);
    if (this.#open) this.#send(message);
  }

  /** Forgets the connection, and opens another. Resolves when nothing is missing. */
  async resume({ path = this.#path, origin = this.#origin, keepOld = false } = {}): Promise<void> {
    const before = this.resumes;
    const old = this.socket;
    this.#open = false;
    old.removeAllListeners('message');
    this.socket = this.#connect(`${origin}${path}&received=${this.got.length - this.#before.got}`);
    await waitFor(() => this.resumes > before || this.refusals.length > 0, { what: 'a resume' });
    if (!keepOld) old.terminate();
  }

  /** Tries until it is connected again: to this origin, which may be another one each time. */
  async comeBack(origin: () => string): Promise<void> {
    const before = this.resumes;
    for (let nth = 0; this.resumes === before; nth += 1) {
      if (nth > 0) await delay(Math.min(1000, 20 * 2 ** nth));
      if (this.refusals.includes(400)) throw new Error('The session cannot be resumed any more.');
      const closed = new Promise((resolve) => {
        void this.#attempt(origin()).then(resolve);
      });
      await Promise.race([closed, this.#resumed(before)]);
    }
  }

  /** Resolves when the attempt is over. */
  async #attempt(origin: string): Promise<void> {
    this.#open = false;
    this.socket.removeAllListeners('message');
    this.socket.terminate();
    const count = this.got.length - this.#before.got;
    this.socket = this.#connect(`${origin}${this.#path}&received=${count}`);
    await once(this.socket, 'close').catch(() => undefined);
  }

  #resumed(before: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onResumed = () => this.resumes > before && resolve();
    });
  }

  async leave(): Promise<void> {
    this.socket.close(1000);
    await waitFor(() => this.socket.readyState === WebSocket.CLOSED, { what: 'the close' });
  }

  #connect(url: string): WebSocket {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.on('message', (data, binary) => this.#take({ data: data as Buffer, binary }));
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_request, response) => {
      this.refusals.push(response.statusCode);
      response.destroy();
      // Nobody else closes a socket whose refusal has a listener.
      socket.terminate();
    });
    socket.on('close', (code, reason) => {
      this.closes.push({ code, reason: reason.toString() });
      if (socket === this.socket) this.#open = false;
    });
    return socket;
  }

  #take(message: Message): void {
    const [event] = message.binary ? [] : parsed(message.data);
    if (event && asides.includes(event.type)) this.#takeAside(event);
    else {
      this.got.push(message);
      if (event) this.events.push(event);
      if (this.ackEvery > 0 && this.got.length % this.ackEvery === 0 && this.#open)
        this.socket.send(
          JSON.stringify({ type: 'session.ack', received: this.got.length - this.#before.got }),
        );
    }
  }

  #takeAside(event: Event): void {
    this.asides.push(event);
    if (event.type === 'session.acknowledged') return;
    const data = event['data'] as { resumePath: string; received: number; restored: string };
    if (event.type !== 'session.resumed') {
      this.#path = data.resumePath;
      return;
    }
    if (data.restored === 'history') {
      this.#before = { got: this.got.length, said: this.said.length };
      this.restores += 1;
    }
    this.resumes += 1;
    this.#open = true;
    for (const message of this.said.slice(this.#before.said + data.received)) this.#send(message);
    this.#onResumed();
  }

  #send({ data, binary }: Message): void {
    this.socket.send(data, { binary });
  }
}

function parsed(data: Buffer): Event[] {
  try {
    return [JSON.parse(data.toString()) as Event];
  } catch {
    return [];
  }
}
