import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { maxProviderMessageBytes } from '@parley/providers';
import type { ErrorOwner } from '@parley/service-kit';
import { clientTextRoute, type ClientRoute } from '../core/client-routes.js';
import { clientPassing, providerPassing, type Passing } from '../core/passing.js';
import { providerTextRoute, type ProviderRoute } from '../core/provider-routes.js';
import type { SessionState } from '../core/session.js';
import type { GatewayMetrics } from '../metrics.js';
import { FirstAudio } from './first-audio.js';
import { Splice } from './splice.js';

export type PassagesOptions = {
  readonly client: WebSocket;
  /** The socket under the client's. */
  readonly socket: Duplex;
  readonly maxMessageBytes: number;
  /** Whether every frame goes through ws, because the client's side keeps or counts it. */
  readonly isKept: boolean;
  /**
   * If more than this many bytes wait for a reader, its frames go through ws, which reports when
   * they were sent.
   */
  readonly maxWaiting: number;
  readonly metrics: Pick<GatewayMetrics, 'tally' | 'firstAudio'>;
  /** Undefined while an input is being handled. */
  readonly state: () => SessionState | undefined;
  readonly takeError: ErrorOwner;
};

/**
 * The two directions of a session: which frames pass unread, and what all frames have in common.
 */
export class Passages {
  readonly #options: PassagesOptions;
  readonly #fromClient: Splice<ClientRoute>;
  #fromProvider: Splice<ProviderRoute> | undefined;
  /** When the client last sent more than an acknowledgement, through ws. */
  #saidAt = 0;
  /** Bytes from provider connections that are closed. */
  #bytesBefore = 0;
  readonly #firstAudio: FirstAudio;

  constructor(options: PassagesOptions) {
    this.#options = options;
    const { client: source, socket, maxMessageBytes, maxWaiting, metrics, takeError } = options;
    const { isKept } = options;
    this.#firstAudio = new FirstAudio(metrics.firstAudio);
    this.#fromClient = new Splice({
      socket,
      source,
      masked: true,
      maxBytes: maxMessageBytes,
      takeError,
      tally: metrics.tally.client,
      routeOf: clientTextRoute,
      onOther: this.reconsider,
      passage: () => {
        const routes = this.#clientPassing();
        const provider = this.#fromProvider;
        if (!routes || isKept || provider?.source.readyState !== WebSocket.OPEN) return undefined;
        return { routes, target: provider.socket, maxWaiting };
      },
    });
  }

  /** The provider's direction starts with its first byte, once there is a socket. */
  dialled(provider: WebSocket): void {
    provider.once('upgrade', ({ socket }) => {
      provider.once('open', () => this.#open(provider, socket));
    });
  }

  /** Nothing of the provider passes any more, until another one is dialled. */
  left(): void {
    this.#bytesBefore += this.#fromProvider?.bytes ?? 0;
    this.#fromProvider = undefined;
    this.reconsider();
  }

  /** Counts a frame that came through ws. Returns whether it only needs forwarding all the same. */
  clientFrame(route: ClientRoute, bytes: number): boolean {
    const now = this.#fromClient.count(route, bytes);
    if (route !== 'ack') this.#saidAt = now;
    this.#firstAudio.fromClient(route, now);
    return this.#clientPassing()?.[route] ?? false;
  }

  providerFrame(route: ProviderRoute, bytes: number): boolean {
    this.#firstAudio.fromProvider(route, this.#fromProvider?.count(route, bytes) ?? 0);
    return this.#providerPassing()?.[route] ?? false;
  }

  get bytes(): { bytesFromClient: number; bytesFromProvider: number } {
    const bytesFromProvider = this.#bytesBefore + (this.#fromProvider?.bytes ?? 0);
    return { bytesFromClient: this.#fromClient.bytes, bytesFromProvider };
  }

  readonly clientHeardAt = (): number => this.#fromClient.heardAt;
  readonly providerHeardAt = (): number => this.#fromProvider?.heardAt ?? 0;
  /** When the session was last used: in one that is kept, an acknowledgement is no use of it. */
  readonly usedAt = (): number =>
    Math.max(this.#options.isKept ? this.#saidAt : this.clientHeardAt(), this.providerHeardAt());

  /** Any frame that does not pass may change which frames do, so this is determined again. */
  readonly reconsider = (): void => {
    this.#fromClient.reconsider();
    this.#fromProvider?.reconsider();
  };

  #open(source: WebSocket, socket: Duplex): void {
    const { client, socket: target, isKept, maxWaiting, metrics, takeError } = this.#options;
    this.#fromProvider = new Splice({
      socket,
      source,
      masked: false,
      maxBytes: maxProviderMessageBytes,
      takeError,
      tally: metrics.tally.provider,
      routeOf: providerTextRoute,
      onOther: this.reconsider,
      passage: () => {
        const isCurrent = this.#fromProvider?.source === source;
        const routes = isCurrent && !isKept ? this.#providerPassing() : undefined;
        if (!routes || client.readyState !== WebSocket.OPEN) return undefined;
        return { routes, target, maxWaiting };
      },
    });
  }

  #clientPassing(): Passing<ClientRoute> | undefined {
    const state = this.#options.state();
    return state && clientPassing(state);
  }

  #providerPassing(): Passing<ProviderRoute> | undefined {
    const state = this.#options.state();
    return state && providerPassing(state, this.#firstAudio.isAwaited);
  }
}
