import { WebSocket } from 'ws';
import type { RelayLimits } from './relay-limits.js';
import { SlidingTimer } from './sliding-timer.js';

/** Pings a peer and tells when it has been silent for too long. A peer that is paused cannot be heard and is not judged. */
export class Heartbeat {
  readonly #silence: SlidingTimer;
  readonly #pings: NodeJS.Timeout;

  constructor(peer: WebSocket, limits: RelayLimits, onSilent: () => void) {
    this.#silence = new SlidingTimer(limits.silenceMs, () => {
      if (!peer.isPaused) onSilent();
    });
    this.#pings = setInterval(() => {
      if (peer.readyState === WebSocket.OPEN) peer.ping();
    }, limits.pingMs);
    const heard = () => this.heard(performance.now());
    peer.on('pong', heard).on('ping', heard);
  }

  heard(now: number): void {
    this.#silence.touch(now);
  }

  stop(): void {
    this.#silence.stop();
    clearInterval(this.#pings);
  }
}
