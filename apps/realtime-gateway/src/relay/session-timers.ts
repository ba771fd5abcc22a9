import type { TimerName } from '../core/session.js';
import { SlidingTimer } from './sliding-timer.js';

/**
 * The timers of one session, by name. Each frame from either side postpones the idle timer; the
 * others fire once.
 */
export class SessionTimers {
  readonly #onFired: (timer: TimerName) => void;
  readonly #timers = new Map<TimerName, NodeJS.Timeout>();
  readonly #heardAt: () => number;
  #idle: SlidingTimer | undefined;

  constructor(onFired: (timer: TimerName) => void, heardAt: () => number) {
    this.#onFired = onFired;
    this.#heardAt = heardAt;
  }

  arm(timer: TimerName, milliseconds: number): void {
    const fire = () => this.#onFired(timer);
    this.disarm(timer);
    if (timer === 'idle') this.#idle = new SlidingTimer(milliseconds, fire, this.#heardAt);
    else this.#timers.set(timer, setTimeout(fire, milliseconds));
  }

  disarm(timer: TimerName): void {
    if (timer === 'idle') this.#idle?.stop();
    clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#idle?.stop();
  }
}
