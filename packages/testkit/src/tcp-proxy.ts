import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { forget, stopAtTeardown } from './teardown.js';

export type TcpProxyOptions = {
  /** The URL of the server behind the proxy, such as a testRedis().url. */
  target: string;
  /** Receives everything that clients send. */
  onRequest?: (bytes: Buffer) => void;
};

/** A network between a client and a server that fails on command. */
export type TcpProxy = {
  /** The target's URL with the proxy's host and port. */
  readonly url: string;
  readonly port: number;
  /** How many clients are connected. */
  readonly connections: number;
  /** Resets every open connection on both sides. */
  cut(): void;
  /** Ends every open connection on both sides, after what is under way. */
  finish(): void;
  /** Silently drops everything of the open connections, for good; new connections pass. */
  strand(): void;
  /** Silently drops everything until heal(); new connections hang as well. */
  blackHole(): void;
  /** From now on, delays every chunk by this long, each way. */
  delay(ms: number): void;
  /** Resets new connections immediately, until heal(). */
  refuse(): void;
  /** Leads new connections to another server. */
  retarget(url: string): void;
  /** Ends blackHole, delay and refuse; what was held back arrives. */
  heal(): void;
  /**
   * Lets the next request through (or the next one that contains the text), then resets that
   * connection instead of forwarding the reply: the server has executed it, but the client never
   * finds out. Resolves when that has happened.
   */
  cutNextReply(containing?: string): Promise<void>;
  stop(): Promise<void>;
};

type Pair = {
  client: Socket;
  server: Socket;
  /** Set when the fatal request passes: resets instead of replying. */
  onReply: (() => void) | undefined;
};

type Ambush = {
  containing: string;
  sprung: () => void;
};

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'redis:': 6379, 'postgres:': 5432 };

export async function tcpProxy({ target, onRequest }: TcpProxyOptions): Promise<TcpProxy> {
  const network = new Network(new URL(target), onRequest);
  const port = await network.listen();
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const proxy: TcpProxy = {
    url: url.href,
    port,
    get connections() {
      return network.clients;
    },
    cut: () => network.cut(),
    finish: () => network.finish(),
    strand: () => network.strand(),
    blackHole: () => network.pause(),
    delay: (ms) => (network.latencyMs = ms),
    refuse: () => (network.refusing = true),
    retarget: (other) => network.retarget(new URL(other)),
    heal: () => network.heal(),
    cutNextReply: (containing = '') => network.ambush(containing),
    stop: async () => {
      await network.close();
      forget(proxy);
    },
  };
  stopAtTeardown(proxy);
  return proxy;
}

class Network {
  readonly pairs = new Set<Pair>();
  readonly #open = new Set<Socket>();
  latencyMs = 0;
  refusing = false;
  #paused = false;
  #ambushes: Ambush[] = [];
  #target!: { host: string; port: number };
  readonly #listener = createServer((client) => this.#accept(client));

  constructor(
    target: URL,
    readonly onRequest: TcpProxyOptions['onRequest'],
  ) {
    this.retarget(target);
  }

  retarget(target: URL): void {
    const port = Number(target.port || DEFAULT_PORTS[target.protocol]);
    this.#target = { host: target.hostname, port };
  }

  get clients(): number {
    return [...this.pairs].filter(({ client }) => !client.destroyed).length;
  }

  async listen(): Promise<number> {
    this.#listener.listen(0, '127.0.0.1');
    await once(this.#listener, 'listening');
    return (this.#listener.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.#listener.listening) return;
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    // Otherwise, a socket that is still connecting, or half closed and not read, would stay open.
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  cut(): void {
    for (const pair of this.pairs) this.#reset(pair);
  }

  finish(): void {
    for (const { client, server } of this.pairs) for (const side of [client, server]) side.end();
  }

  strand(): void {
    for (const { client, server } of this.pairs)
      for (const side of [client, server])
        side.pause().removeAllListeners('data').removeAllListeners('error').on('error', ignore);
    this.pairs.clear();
  }

  pause(): void {
    this.#paused = true;
    for (const { client, server } of this.pairs) for (const side of [client, server]) side.pause();
  }

  heal(): void {
    this.#paused = false;
    this.refusing = false;
    this.latencyMs = 0;
    for (const { client, server } of this.pairs) for (const side of [client, server]) side.resume();
  }

  ambush(containing: string): Promise<void> {
    return new Promise((sprung) => this.#ambushes.push({ containing, sprung }));
  }

  #keep(socket: Socket): Socket {
    this.#open.add(socket);
    return socket.once('close', () => this.#open.delete(socket));
  }

  #accept(client: Socket): void {
    this.#keep(client);
    if (this.refusing) {
      reset(client);
      return;
    }
    const server = this.#keep(connect(this.#target));
    const pair: Pair = { client, server, onReply: undefined };
    this.pairs.add(pair);
    for (const [from, to] of [
      [client, pair.server],
      [pair.server, client],
    ] as const)
      this.#carry(pair, from, to);
    if (this.#paused) this.pause();
  }

  /** Forwards chunks in order, each after its latency, followed by the end of the stream. */
  #carry(pair: Pair, from: Socket, to: Socket): void {
    let road = Promise.resolve();
    const send = (deliver: () => void) => {
      const ms = this.latencyMs;
      road = road.then(() => (ms > 0 ? delay(ms) : undefined)).then(deliver);
    };
    from.setNoDelay(true);
    from.on('data', (chunk: Buffer) => {
      if (from === pair.client) this.#watch(pair, chunk);
      else if (pair.onReply !== undefined) {
        pair.onReply();
        return;
      }
      send(() => void to.write(chunk));
    });
    from.on('end', () => send(() => void to.end()));
    from.on('error', () => this.#reset(pair));
    from.on('close', () => {
      if (to.destroyed) this.pairs.delete(pair);
    });
  }

  #watch(pair: Pair, request: Buffer): void {
    this.onRequest?.(request);
    const index = this.#ambushes.findIndex(({ containing }) => request.includes(containing));
    const [ambush] = index < 0 ? [] : this.#ambushes.splice(index, 1);
    if (ambush === undefined) return;
    pair.onReply = () => {
      this.#reset(pair);
      ambush.sprung();
    };
  }

  #reset({ client, server }: Pair): void {
    for (const side of [client, server]) reset(side);
  }
}

function ignore(): void {
  // Nobody is left to be told.
}

/**
 * The system refuses to reset a socket that is ending; Node then forgets it, and it stays open for
 * good.
 */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
