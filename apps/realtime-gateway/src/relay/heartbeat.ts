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

  /** `heardAt` is when its last frame came. */
  constructor(
    { peer, heardAt }: { peer: Peer; heardAt: () => number },
    { pingMs, silenceMs }: RelayLimits,
    onSilent: () => void,
  ) {
    const ping = () => {
      if (peer.readyState === WebSocket.OPEN) peer.ping();
    };
    this.#pings = setInterval(ping, pingMs);
    const ask = () => {
      if (this.#question) return;
      ping();
      const askedAt = performance.now();
      this.#question = new SlidingTimer(silenceMs - pingMs, () => {
        this.#answered();
        if (heardAt() < askedAt && !peer.isPaused) onSilent();
      });
    };
    this.#quiet = new SlidingTimer(pingMs, ask, heardAt);
    const heard = () => {
      this.#quiet.touch(performance.now());
      this.#answered();
    };
    peer.on('pong', heard).on('ping', heard);
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
