import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer, type ServerOptions } from 'ws';
import { parseFrames, type ParsedFrame } from './raw-client.js';

/** The near end of a connection without a network: a test pushes what arrives, and reads what was written. */
export class Wire extends Duplex {
  readonly #written: Buffer[] = [];

  override _read(): void {
    // A test pushes.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#written.push(chunk);
    done();
  }

  /** The frames that were written after the handshake. */
  frames(): ParsedFrame[] {
    const written = Buffer.concat(this.#written);
    return [...parseFrames(written.subarray(written.indexOf('\r\n\r\n') + 4))];
  }

  get writtenBytes(): number {
    return this.#written.reduce((total, { length }) => total + length, 0);
  }

  /** The key that a client's handshake asks to be answered with. */
  handshakeKey(): string | undefined {
    return /sec-websocket-key: (.*)\r\n/i.exec(this.#written.join(''))?.[1];
  }
}

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** What ws makes of the wire at a server. */
export async function atServer(wire: Wire, options: ServerOptions): Promise<WebSocket> {
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method: 'GET',
    headers: {
      ...{ upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-version': '13' },
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  });
  const server = new WebSocketServer({ ...options, noServer: true, perMessageDeflate: false });
  return new Promise((resolve) => {
    server.handleUpgrade(request, wire, Buffer.alloc(0), resolve);
  });
}

/** What ws makes of the wire at a client. */
export async function atClient(wire: Wire, options: { maxPayload: number }): Promise<WebSocket> {
  const createConnection = () => wire as unknown as Socket;
  const socket = new WebSocket('ws://nowhere', {
    ...options,
    perMessageDeflate: false,
    createConnection,
  });
  const opened = once(socket, 'open');
  let key = wire.handshakeKey();
  for (; key === undefined; key = wire.handshakeKey()) await new Promise(setImmediate);
  const accept = createHash('sha1').update(`${key}${guid}`).digest('base64');
  wire.push(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  await opened;
  return socket;
}
