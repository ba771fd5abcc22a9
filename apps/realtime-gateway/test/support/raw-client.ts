import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { waitFor } from '@parley/testkit';

type ServerFrame = { opcode: number; payload: Buffer };

/** A client that writes bytes, not messages, and so can break every rule of RFC 6455. */
export class RawClient {
  readonly socket: Socket;
  #received = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
  }

  /** Resolves when the gateway reads what the client sends. */
  static async ready(url: string): Promise<RawClient> {
    const { port, pathname, search } = new URL(url);
    const client = new RawClient(connect(Number(port), '127.0.0.1'));
    await once(client.socket, 'connect');
    client.socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    const updated = () =>
      client.frames().some(({ payload }) => payload.includes('session.updated'));
    await waitFor(updated, { what: 'session.updated' });
    return client;
  }

  frames(): ServerFrame[] {
    const head = this.#received.indexOf('\r\n\r\n');
    return head < 0 ? [] : [...parseFrames(this.#received.subarray(head + 4))];
  }

  /** The code of the close frame that the server sends. */
  async closeCode(): Promise<number> {
    const close = () => this.frames().find(({ opcode }) => opcode === 8);
    const { payload } = await waitFor(close, { what: 'a close frame' });
    return payload.readUInt16BE(0);
  }
}

function* parseFrames(bytes: Buffer): Generator<ServerFrame> {
  let at = 0;
  while (at + 2 <= bytes.length) {
    const short = bytes[at + 1]! & 0x7f;
    const header = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (at + header > bytes.length) return;
    const long = short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : undefined;
    const size = long ?? (short === 126 ? bytes.readUInt16BE(at + 2) : short);
    if (at + header + size > bytes.length) return;
    yield {
      opcode: bytes[at]! & 0x0f,
      payload: bytes.subarray(at + header, at + header + size),
    };
    at += header + size;
  }
}

export type FrameOptions = {
  opcode?: number;
  fin?: boolean;
  /** RSV1 is 0x40, RSV2 0x20. */
  reserved?: number;
  masked?: boolean;
  /** Claims another length than the payload's. */
  declared?: bigint;
};

/** A client frame, masked with zeros unless told otherwise. */
export function frame(payload: Buffer, options: FrameOptions = {}): Buffer {
  const { opcode = 1, fin = true, reserved = 0, masked = true, declared } = options;
  const first = (fin ? 0x80 : 0) | reserved | opcode;
  const mask = masked ? 0x80 : 0;
  const size = declared ?? BigInt(payload.length);
  const head = Buffer.alloc(size > 65_535n ? 10 : size > 125n ? 4 : 2);
  head[0] = first;
  if (head.length === 10) head.writeBigUInt64BE(size, 2);
  if (head.length === 4) head.writeUInt16BE(Number(size), 2);
  head[1] = mask | (head.length === 10 ? 127 : head.length === 4 ? 126 : Number(size));
  return Buffer.concat([head, Buffer.alloc(masked ? 4 : 0), payload]);
}
