// A plain WebSocket client for the simulator: no sleeps, every wait is for an event.
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket, type ClientOptions } from 'ws';
import type { Simulator } from '#src/simulator.js';

export type Received = { type: string } & Record<string, unknown>;
export type Closed = { code: number; reason: string };
export type Refused = { status: number; body: string; location: string | undefined };

export type Dial = {
  model?: string;
  key?: string | null;
  path?: string;
  headers?: Record<string, string>;
  options?: ClientOptions;
};

export class RealtimeClient {
  readonly events: Received[] = [];
  readonly frames: { data: Buffer; binary: boolean }[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<Closed>;
  readonly #arrived = new EventEmitter<{ frame: [] }>();

  constructor(simulator: Simulator, dial: Dial = {}) {
    const { model = 'gpt-realtime', key = 'test-key', path = '/v1/realtime', headers } = dial;
    const query = model === '' ? '' : `?model=${model}`;
    this.socket = new WebSocket(`ws://127.0.0.1:${simulator.port}${path}${query}`, {
      headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers },
      ...dial.options,
    });
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    this.socket.on('error', () => undefined);
    this.socket.on('message', (data, binary) => this.#receive(data as Buffer, binary));
  }

  send(...events: object[]): void {
    for (const event of events) this.socket.send(JSON.stringify(event));
  }

  ask(text: string): void {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
    this.send({ type: 'conversation.item.create', item }, { type: 'response.create' });
  }

  /** The first event of a type, waiting for it if it has not come yet. */
  async first(type: string): Promise<Received> {
    for (;;) {
      const found = this.events.find((event) => event.type === type);
      if (found) return found;
      await once(this.#arrived, 'frame');
    }
  }

  /** The answer to an upgrade that was refused. */
  async refused(): Promise<Refused> {
    const [, response] = (await once(this.socket, 'unexpected-response')) as [
      unknown,
      IncomingMessage,
    ];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return {
      status: response.statusCode ?? 0,
      body: Buffer.concat(chunks).toString('utf8'),
      location: response.headers.location,
    };
  }

  #receive(data: Buffer, binary: boolean): void {
    this.frames.push({ data, binary });
    try {
      if (!binary) this.events.push(JSON.parse(data.toString('utf8')) as Received);
    } catch {
      // Broken frames are kept in `frames`.
    }
    this.#arrived.emit('frame');
  }
}
