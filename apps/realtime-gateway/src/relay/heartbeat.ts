import { WebSocket } from 'ws';
import type { RelayLimits } from './relay-limits.js';
import { SlidingTimer } from './sliding-timer.js';

type Peer = Pick<WebSocket, 'on' | 'ping' | 'readyState' | 'isPaused'>;

/**
 * Pings a peer and reports when it has been silent for too long. A paused peer cannot be heard, so
 * it is not judged. Nor is any peer while this process itself was stalled and sent no ping: only an
 * unanswered ping counts.
 */
export class Heartbeat {
  readonly #quiet: SlidingTimer;
  readonly #pings: NodeJS.Timeout;
  #question: SlidingTimer | undefined;

  /** `heardAt` is when the last frame arrived. */
  constructor(
    { peer, heardAt }: { peer: Peer; heardAt: () => number },
    { pingMs, silenceMs }: Pick<RelayLimits, 'pingMs' | 'silenceMs'>,
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
