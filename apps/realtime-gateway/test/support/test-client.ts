import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';
import { customEvents, validatorOf } from '@parley/protocol';
import { waitFor } from '@parley/testkit';

export type Event = { type: string } & Record<string, unknown>;
export type Closing = { code: number; reason: string };

/** An end user's client that remembers everything it got. */
export class TestClient {
  readonly frames: { data: Buffer; binary: boolean }[] = [];
  readonly events: Event[] = [];
  /** What events of the service have that the contract does not say. */
  readonly misfits: string[] = [];
  pings = 0;
  readonly socket: WebSocket;
  readonly closed: Promise<Closing>;

  constructor(url: string, options: ClientOptions = {}, protocols: string[] = []) {
    this.socket = new WebSocket(url, protocols, { perMessageDeflate: false, ...options });
    this.socket.on('message', (message, binary) => {
      const data = message as Buffer;
      this.frames.push({ data, binary });
      const event = binary ? undefined : parsed(data);
      if (!event) return;
      this.events.push(event);
      this.misfits.push(...misfitsOf(event));
    });
    this.socket.on('ping', () => (this.pings += 1));
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    this.socket.on('error', () => undefined);
  }

  /** Resolves when the session is ready for the client's events. */
  static async ready(url: string, options: ClientOptions = {}): Promise<TestClient> {
    const client = new TestClient(url, options);
    await once(client.socket, 'open');
    await client.event('session.updated');
    return client;
  }

  send(event: unknown): void {
    const raw = typeof event === 'string' || Buffer.isBuffer(event);
    this.socket.send(raw ? event : JSON.stringify(event));
  }

  /** The first event of a type, now or later. */
  async event(type: string): Promise<Event> {
    return this.where((event) => event.type === type, type);
  }

  async where(predicate: (event: Event) => boolean, what = 'an event'): Promise<Event> {
    return waitFor(
      () => {
        if (this.misfits.length > 0) throw new Error(this.misfits.join('\n'));
        return this.events.find(predicate);
      },
      { what },
    );
  }

  /** The last `error` event, once the socket is closed. */
  async lastError(): Promise<{ code: string; message: string }> {
    await this.closed;
    const error = this.events.findLast((event) => event.type === 'error');
    return error?.['error'] as { code: string; message: string };
  }

  async leave(): Promise<void> {
    this.socket.close(1000);
    await this.closed;
  }
}

const validators = new Map(
  Object.entries(customEvents).map(([type, { data }]) => [type, validatorOf(data)]),
);

function misfitsOf({ type, ...rest }: Event): string[] {
  const validate = validators.get(type);
  if (!validate) return [];
  const { data, ...more } = rest as { data: unknown };
  const result = validate(data);
  const extra = Object.keys(more).map((name) => `${type} has ${name}`);
  return [...extra, ...(result.ok ? [] : [`${type}: ${JSON.stringify(result.errors)}`])];
}

function parsed(data: Buffer): Event | undefined {
  try {
    return JSON.parse(data.toString()) as Event;
  } catch {
    return undefined;
  }
}

/** Opens a socket that is refused, and returns the HTTP answer. */
export async function refusalOf(
  url: string,
  options: ClientOptions = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: unknown }> {
  const socket = new WebSocket(url, options);
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => reject(new Error('The socket was accepted.')));
    socket.on('unexpected-response', (_request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown });
      })();
    });
  });
}
