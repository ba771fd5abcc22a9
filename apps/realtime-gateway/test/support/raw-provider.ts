import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** The provider's end of one session, in the hands of the test. */
export type ProviderPeer = { socket: WebSocket; request: IncomingMessage };

export type RawProvider = {
  /** What PROVIDER_BASE_URL takes. */
  readonly url: string;
  /** Emits 'session' once a session is configured, or at once in the manual mode. */
  readonly events: EventEmitter<{ session: [ProviderPeer] }>;
  nextSession(): Promise<ProviderPeer>;
  close(): Promise<void>;
};

export type RawProviderOptions = {
  /** Replaces the handshake. */
  onUpgrade?: (request: IncomingMessage, socket: Duplex) => void;
  /** Completes the WebSocket handshake and says nothing: the test plays the provider from the first frame on. */
  manual?: boolean;
  /** Completes session.update only when this resolves. */
  ready?: Promise<void>;
};

/** A WebSocket server that opens sessions as a provider does, then sends and receives whatever bytes a test wants. */
export async function startRawProvider(options: RawProviderOptions = {}): Promise<RawProvider> {
  const events = new EventEmitter<{ session: [ProviderPeer] }>();
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024 });
  const server: Server = createServer().on('upgrade', (request, socket, head) => {
    if (options.onUpgrade) options.onUpgrade(request, socket);
    else
      webSockets.handleUpgrade(request, socket, head, (peer) => {
        peer.on('error', () => undefined);
        if (options.manual) events.emit('session', { socket: peer, request });
        else void greet({ socket: peer, request }, options, events);
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    events,
    async nextSession() {
      const [peer] = (await once(events, 'session')) as [ProviderPeer];
      return peer;
    },
    async close() {
      for (const socket of webSockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function greet(
  peer: ProviderPeer,
  { ready }: RawProviderOptions,
  events: RawProvider['events'],
): Promise<void> {
  peer.socket.send('{"type":"session.created","event_id":"e1","session":{"type":"realtime"}}');
  await once(peer.socket, 'message');
  await ready;
  events.emit('session', peer);
  peer.socket.send('{"type":"session.updated","event_id":"e2","session":{"type":"realtime"}}');
}
