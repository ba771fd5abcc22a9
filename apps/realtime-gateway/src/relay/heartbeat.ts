import { WebSocket } from 'ws';
import type { RelayLimits } from './relay-limits.js';
import { SlidingTimer } from './sliding-timer.js';

type Peer = Pick<WebSocket, 'on' | 'ping' | 'readyState' | 'isPaused'>;
/** `heardAt` is when the last frame arrived. */
type Heard = { readonly peer: Peer; readonly heardAt: () => number };

/**
 * Pings a peer and reports when it has been silent for too long. A paused peer cannot be heard, so
 * it is not judged. Nor is any peer while this process itself was stalled and sent no ping: only an
 * unanswered ping counts. Between pings, there is one timer and nothing else.
 */
export class Heartbeat {
  readonly #heard: Heard;
  readonly #patienceMs: number;
  readonly #onSilent: () => void;
  readonly #pings: NodeJS.Timeout;
  #question: SlidingTimer | undefined;

  constructor(
    heard: Heard,
    { pingMs, silenceMs }: Pick<RelayLimits, 'pingMs' | 'silenceMs'>,
    onSilent: () => void,
  ) {
    this.#heard = heard;
    this.#patienceMs = silenceMs - pingMs;
    this.#onSilent = onSilent;
    this.#pings = setInterval(() => this.#ask(), pingMs);
    heard.peer.on('pong', this.#answered).on('ping', this.#answered);
  }

  stop(): void {
    this.#question?.stop();
    clearInterval(this.#pings);
  }

  #ask(): void {
    const { peer, heardAt } = this.#heard;
    if (peer.readyState === WebSocket.OPEN) peer.ping();
    if (this.#question) return;
    const askedAt = performance.now();
    this.#question = new SlidingTimer(this.#patienceMs, () => {
      this.#answered();
      if (heardAt() < askedAt && !peer.isPaused) this.#onSilent();
    });
  }

  readonly #answered = (): void => {
    this.#question?.stop();
    this.#question = undefined;
  };
}
