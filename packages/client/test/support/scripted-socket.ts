import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws';
import type { RawEvent } from '@parley/client';

type Scene = { readonly tell: (type: string, more?: object) => void; readonly socket: WebSocket };

/** A realtime service that does what a test says, on real sockets. */
export class ScriptedSocket {
  /** Every event of the client, on all connections. */
  readonly heard: RawEvent[] = [];
  readonly paths: string[] = [];
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer, onOpen: (scene: Scene, nth: number) => void) {
    this.#server = server;
    server.on('connection', (socket, { url = '' }) => {
      this.paths.push(url);
      socket.on('message', (data: Buffer) =>
        this.heard.push(JSON.parse(data.toString()) as RawEvent),
      );
      const tell = (type: string, more: object = {}) =>
        socket.send(JSON.stringify({ type, ...more }));
      onOpen({ tell, socket }, this.paths.length);
    });
  }

  static async open(
    onOpen: (scene: Scene, nth: number) => void,
    options: ServerOptions = {},
  ): Promise<ScriptedSocket> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options });
    await once(server, 'listening');
    return new ScriptedSocket(server, onOpen);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get types(): string[] {
    return this.heard.map(({ type }) => type);
  }

  close(): void {
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
  }
}
