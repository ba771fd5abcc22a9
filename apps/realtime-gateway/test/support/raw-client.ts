import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { waitFor } from '@parley/testkit';

export type ParsedFrame = { opcode: number; payload: Buffer };

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

  frames(): ParsedFrame[] {
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

export function* parseFrames(bytes: Buffer): Generator<ParsedFrame> {
  let at = 0;
  while (at + 2 <= bytes.length) {
    const short = bytes[at + 1]! & 0x7f;
    const header = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (at + header > bytes.length) return;
    const long = short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : undefined;
    const size = long ?? (short === 126 ? bytes.readUInt16BE(at + 2) : short);
    const isMasked = (bytes[at + 1]! & 0x80) !== 0;
    const start = at + header + (isMasked ? 4 : 0);
    if (start + size > bytes.length) return;
    const payload = Buffer.from(bytes.subarray(start, start + size));
    if (isMasked) applyMask(payload, bytes.subarray(start - 4, start));
    yield { opcode: bytes[at]! & 0x0f, payload };
    at = start + size;
  }
}

export type FrameOptions = {
  opcode?: number;
  fin?: boolean;
  /** RSV1 is 0x40, RSV2 0x20. */
  reserved?: number;
  masked?: boolean;
  /** The key of the mask. */
  key?: Uint8Array;
  /** Writes a short length in the long way. */
  roomy?: boolean;
  /** Claims another length than the payload's. */
  declared?: bigint;
};

/** A frame of a client, masked with zeros unless told otherwise. */
export function frame(payload: Buffer, options: FrameOptions = {}): Buffer {
  const { opcode = 1, fin = true, reserved = 0, masked = true, declared, roomy } = options;
  const key = options.key ?? Buffer.alloc(4);
  const first = (fin ? 0x80 : 0) | reserved | opcode;
  const mask = masked ? 0x80 : 0;
  const size = declared ?? BigInt(payload.length);
  const head = Buffer.alloc(size > 65_535n ? 10 : size > 125n || roomy ? 4 : 2);
  head[0] = first;
  if (head.length === 10) head.writeBigUInt64BE(size, 2);
  if (head.length === 4) head.writeUInt16BE(Number(size), 2);
  head[1] = mask | (head.length === 10 ? 127 : head.length === 4 ? 126 : Number(size));
  if (!masked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, key, applyMask(Buffer.from(payload), key)]);
}

function applyMask(payload: Buffer, key: Uint8Array): Buffer {
  for (let at = 0; at < payload.length; at += 1) payload[at]! ^= key[at % 4]!;
  return payload;
}
