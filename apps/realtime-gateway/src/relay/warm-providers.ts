import { AsyncResource } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, type RawData } from 'ws';
import { dialRealtime, maxProviderMessageBytes, type RealtimeEndpoint } from '@parley/providers';
import { FrameReader } from './frame-reader.js';

export type WarmProvidersOptions = {
  /** How many sockets wait per connection; 0 means that every socket is dialled when it is needed. */
  readonly size: number;
  /**
   * How long a socket waits, and how long a connection that nobody uses is kept warm: far below the
   * duration to which providers limit a session.
   */
  readonly keepMs?: number;
  /** How many sockets wait on all connections together. */
  readonly most?: number;
};

/** Where to dial, for whom: an organization, or nobody in particular for the deployment's own. */
export type ProviderTarget = {
  readonly endpoint: RealtimeEndpoint;
  readonly lookup: LookupFunction | undefined;
  readonly organizationId: string | null;
};

type Line = {
  readonly key: string;
  readonly target: ProviderTarget;
  readonly waiting: Set<Warm>;
  usedAt: number;
};

/**
 * Keeps provider sockets open for sessions to come, so that a session need not wait for the
 * handshake. A socket serves one session, and only on the connection that it was dialled for: the
 * same organization, address and credentials.
 */
export class WarmProviders {
  readonly #size: number;
  readonly #keepMs: number;
  readonly #most: number;
  /** Only those on which a socket waits: credentials are not kept for longer than they are used. */
  readonly #lines = new Map<string, Line>();
  /** Nothing that waits here belongs to the session that caused it. */
  readonly #outside = new AsyncResource('parley.warm');
  #waiting = 0;
  #closed = false;

  constructor({ size, keepMs = 240_000, most = 500 }: WarmProvidersOptions) {
    this.#size = size;
    this.#keepMs = keepMs;
    this.#most = most;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** How many connections are kept warm. */
  get lines(): number {
    return this.#lines.size;
  }

  /** A socket that waits, or else a new one; see `dialRealtime`. */
  dial(target: ProviderTarget, onRefused: (reason: string) => void): WebSocket {
    const { endpoint, lookup } = target;
    if (this.#size === 0 || this.#closed) return dialRealtime(endpoint, onRefused, lookup);
    const line = this.#lineOf(target);
    line.usedAt = Date.now();
    const warm = [...line.waiting].find((one) => one.isReady);
    if (warm) this.#remove(line, warm);
    const socket = warm?.handOver() ?? dialRealtime(endpoint, onRefused, lookup);
    this.#outside.runInAsyncScope(() => this.#fill(line));
    return socket;
  }

  close(): void {
    this.#closed = true;
    for (const line of this.#lines.values())
      for (const warm of line.waiting) {
        this.#remove(line, warm);
        warm.end();
      }
  }

  #lineOf(target: ProviderTarget): Line {
    const key = keyOf(target);
    return this.#lines.get(key) ?? { key, target, waiting: new Set(), usedAt: 0 };
  }

  #fill(line: Line): void {
    while (!this.#closed && line.waiting.size < this.#size && this.#waiting < this.#most) {
      const warm: Warm = new Warm(line.target, this.#keepMs, (reason) => {
        const isWaiting = this.#remove(line, warm);
        // After a failure, the next session finds out whether the provider is back.
        const isUsed = Date.now() - line.usedAt < this.#keepMs;
        if (isWaiting && reason === 'old' && isUsed) this.#fill(line);
      });
      line.waiting.add(warm);
      this.#lines.set(line.key, line);
      this.#waiting += 1;
    }
  }

  #remove(line: Line, warm: Warm): boolean {
    const isWaiting = line.waiting.delete(warm);
    if (isWaiting) this.#waiting -= 1;
    if (line.waiting.size === 0) this.#lines.delete(line.key);
    return isWaiting;
  }
}

/** Credentials are not kept as text: the key is a hash of everything that must be the same. */
function keyOf({ organizationId, endpoint }: ProviderTarget): string {
  const { url, headers } = endpoint;
  const text = JSON.stringify([organizationId, url, Object.entries(headers)]);
  return createHash('sha256').update(text).digest('base64');
}

/** A provider only says that the session was created. One that says more is not kept. */
const maxHeard = { messages: 4, bytes: 256 * 1024 };
const pingMs = 15_000;

type OnOver = (reason: 'old' | 'lost') => void;

/**
 * A socket that waits. It answers pings, notices when the provider hangs up, and keeps what the
 * provider said for the session.
 */
class Warm {
  readonly #socket: WebSocket;
  readonly #heard: { data: RawData; binary: boolean }[] = [];
  /** Tracks where messages end, because the splice has to start between two. */
  readonly #reader = new FrameReader({ masked: false, maxBytes: maxProviderMessageBytes });
  readonly #onOver: OnOver;
  readonly #age: NodeJS.Timeout;
  readonly #pings = setInterval(() => this.#ping(), pingMs).unref();
  #heardBytes = 0;
  #isAsked = false;
  #response: IncomingMessage | undefined;
  #bytes: Duplex | undefined;

  constructor({ endpoint, lookup }: ProviderTarget, keepMs: number, onOver: OnOver) {
    this.#onOver = onOver;
    this.#socket = dialRealtime(endpoint, () => undefined, lookup);
    this.#age = setTimeout(() => {
      onOver('old');
      this.end();
    }, keepMs).unref();
    this.#socket
      .on('upgrade', this.#onUpgrade)
      .on('open', this.#onOpen)
      .on('message', this.#onMessage)
      .on('pong', this.#onPong)
      .on('close', this.#onClose);
  }

  get isReady(): boolean {
    const isOpen = this.#socket.readyState === WebSocket.OPEN && this.#heard.length > 0;
    return isOpen && this.#reader.isBetweenMessages && this.#bytes?.readableLength === 0;
  }

  /** Its new owner is told what happened so far, as if it had just been dialled. */
  handOver(): WebSocket {
    const socket = this.#socket;
    this.#letGo();
    process.nextTick(() => {
      socket.emit('upgrade', this.#response);
      socket.emit('open');
      for (const { data, binary } of this.#heard) socket.emit('message', data, binary);
    });
    return socket;
  }

  end(): void {
    this.#letGo();
    this.#socket.close(1000);
  }

  readonly #onUpgrade = (response: IncomingMessage): void => {
    this.#response = response;
  };

  readonly #onOpen = (): void => {
    this.#bytes = this.#response?.socket.on('data', this.#onBytes);
  };

  readonly #onBytes = (chunk: Buffer): void => this.#reader.follow(chunk);

  readonly #onMessage = (data: RawData, binary: boolean): void => {
    this.#heardBytes += (data as Buffer).length;
    const isFull = this.#heard.length === maxHeard.messages || this.#heardBytes > maxHeard.bytes;
    if (isFull) this.#socket.terminate();
    else this.#heard.push({ data, binary });
  };

  readonly #onPong = (): void => {
    this.#isAsked = false;
  };

  readonly #onClose = (): void => {
    this.#letGo();
    this.#onOver('lost');
  };

  #ping(): void {
    if (this.#isAsked) this.#socket.terminate();
    else if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
    this.#isAsked = true;
  }

  #letGo(): void {
    clearTimeout(this.#age);
    clearInterval(this.#pings);
    this.#bytes?.off('data', this.#onBytes);
    this.#socket
      .off('upgrade', this.#onUpgrade)
      .off('open', this.#onOpen)
      .off('message', this.#onMessage)
      .off('pong', this.#onPong)
      .off('close', this.#onClose);
  }
}
