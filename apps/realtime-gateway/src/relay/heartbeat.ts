import { WebSocket } from 'ws';
import type { RelayLimits } from './relay-limits.js';
import { SlidingTimer } from './sliding-timer.js';

type Peer = Pick<WebSocket, 'on' | 'ping' | 'readyState' | 'isPaused'>;

/**
 * Pings a peer and tells when it has been silent for too long. A peer that is paused cannot be heard and is not judged. Nor is one while this
 * process itself stood still and asked nothing: what counts is a question that is not answered.
 */
export class Heartbeat {
  readonly #quiet: SlidingTimer;
  readonly #pings: NodeJS.Timeout;
  #question: SlidingTimer | undefined;

  constructor(peer: Peer, { pingMs, silenceMs }: RelayLimits, onSilent: () => void) {
    const ping = () => {
      if (peer.readyState === WebSocket.OPEN) peer.ping();
    };
    this.#pings = setInterval(ping, pingMs);
    this.#quiet = new SlidingTimer(pingMs, () => {
      if (this.#question) return;
      ping();
      this.#question = new SlidingTimer(silenceMs - pingMs, () => {
        this.#answered();
        if (!peer.isPaused) onSilent();
      });
    });
    const heard = () => this.heard(performance.now());
    peer.on('pong', heard).on('ping', heard);
  }

  heard(now: number): void {
    this.#quiet.touch(now);
    if (this.#question) this.#answered();
  }

  stop(): void {
    this.#quiet.stop();
    this.#question?.stop();
    clearInterval(this.#pings);
  }

  #answered(): void {
    this.#question?.stop();
    this.#question = undefined;
  }
}
